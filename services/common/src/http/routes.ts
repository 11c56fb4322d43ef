import {
  OPERATIONS,
  roleOf,
  ROUTES,
  type Answer,
  type ApiService,
  type OperationId,
  type OperationOf,
  type OperationSpec,
  type Params,
  type ParsedBody,
  type Query,
  type RequiresSession,
  type Route,
  type Routes,
} from '@najwa/proto/http';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import { z } from 'zod';
import { AppError } from '../errors.js';
import type { Identity } from '../identity.js';
import { validate } from '../validation.js';
import { identityOf, noteOperation } from './app.js';
import { readBody, refuseByHeaders } from './body.js';
import { readForm } from './form.js';

type SignedInIdentity = Identity & { user: NonNullable<Identity['user']> };

/** The caller's identity. Always has an account if visitors may not make the call. */
export type CallerOf<Id extends OperationId> = RequiresSession<Id> extends true ? SignedInIdentity : Identity;

/** A call before its body is read. */
export interface Caller<Id extends OperationId> {
  identity: CallerOf<Id>;
  params: Params<Id>;
  query: Query<Id>;
  request: Request;
}

/** Validated fields and file of a form. */
export interface ReceivedForm<Id extends OperationId, File> {
  fields: ParsedBody<Id>;
  file: File;
}

/** Consumes a form's file. It may refuse the form by the fields before the file, without reading the file. */
export type ReceiveFile<Id extends OperationId, File> = (
  pieces: AsyncIterable<Buffer>,
  preceding: Partial<ParsedBody<Id>>,
) => Promise<File>;

export interface Call<Id extends OperationId> extends Caller<Id> {
  /** Validated body. Undefined if the call has no body or a form. */
  body: Routes[Id]['body']['kind'] extends 'form' ? undefined : ParsedBody<Id>;
  /**
   * Reads a form and streams its file to `receive`, together with the valid fields that stand before the file. Only for
   * calls with a body of kind `form`.
   * @throws {AppError} `invalid_input`, `malformed`, `payload_too_large`, and errors thrown by `receive`
   */
  readForm: <File>(receive: ReceiveFile<Id, File>) => Promise<ReceivedForm<Id, File>>;
  response: Response;
}

type AnswerOf<Id extends OperationId> = Answer<Id> extends undefined ? void : Answer<Id>;

/** Handles a call. A call without a JSON response returns nothing and may write a file to the response. */
export type Handler<Id extends OperationId> = (call: Call<Id>) => AnswerOf<Id> | Promise<AnswerOf<Id>>;

/** A handler with limits. `limit` runs before the body is read and throws to refuse the call. */
export interface LimitedHandler<Id extends OperationId> {
  limit: (caller: Caller<Id>) => Promise<void>;
  handle: Handler<Id>;
}

/** One handler per operation of a service. A missing handler is a type error. */
export type Handlers<Service extends ApiService> = {
  [Id in OperationOf<Service>]: Handler<Id> | LimitedHandler<Id>;
};

type AnyHandler = Handler<OperationId> | LimitedHandler<OperationId>;

/**
 * Creates the routes of a service from the HTTP contract. Steps of each call: role, path and query, limits, body with
 * its size limit, validation, handler, response with the contract's status.
 */
export function createRoutes<Service extends ApiService>(_service: Service, handlers: Handlers<Service>): Router {
  const router = Router();
  // Sort paths with fewer parameters first: `/api/messages/sent` also matches `/api/messages/{id}`.
  const ids = (Object.keys(handlers) as OperationOf<Service>[]).sort(
    (a, b) => ROUTES[a].path.split('{').length - ROUTES[b].path.split('{').length,
  );
  for (const id of ids) {
    const route: Route = ROUTES[id];
    const path = route.path.replace(/\{(\w+)\}/g, ':$1');
    router[route.method.toLowerCase() as 'get'](path, toRequestHandler(id, handlers[id] as unknown as AnyHandler));
  }
  return router;
}

function toRequestHandler(id: OperationId, handler: AnyHandler): RequestHandler {
  const route: Route = ROUTES[id];
  const operation: OperationSpec = OPERATIONS[id];
  const { limit, handle } = typeof handler === 'function' ? { limit: undefined, handle: handler } : handler;
  return async (request, response) => {
    noteOperation(response, id);
    const identity = requireRole(identityOf(response), route);
    const caller = {
      identity,
      params: operation.params && validate(operation.params, request.params),
      query: operation.query && validate(operation.query, request.query),
      request,
    } as unknown as Caller<OperationId>;
    await limit?.(caller);
    refuseByHeaders(request, route);
    const body = await validBody(request, route, operation);
    const call = {
      ...caller,
      body,
      readForm: (receive: ReceiveFile<OperationId, unknown>) => receiveForm(request, route, operation, receive),
      response,
    } as unknown as Call<OperationId>;
    const answer: unknown = await handle(call);
    if (operation.answer.body) response.status(operation.answer.status).json(answer);
    else if (!operation.answer.media) response.status(operation.answer.status).end();
  };
}

/** @throws {AppError} `not_signed_in`, `not_allowed` */
function requireRole(identity: Identity, { roles }: Route): Identity {
  const role = roleOf(identity.user);
  if (roles.includes(role)) return identity;
  throw role === 'visitor'
    ? new AppError({ code: 'not_signed_in', message: 'Sign in first.' })
    : new AppError({ code: 'not_allowed', message: 'The account may not do that.' });
}

async function validBody(request: Request, { body }: Route, operation: OperationSpec): Promise<unknown> {
  if (body.kind === 'none' || body.kind === 'form' || !operation.body) return undefined;
  return validate(operation.body, await readBody(request, body, operation.body));
}

async function receiveForm(
  request: Request,
  { body }: Route,
  operation: OperationSpec,
  receive: ReceiveFile<OperationId, unknown>,
): Promise<ReceivedForm<OperationId, unknown>> {
  if (body.kind !== 'form' || !operation.body) throw new Error(`${request.path} does not accept a form.`);
  const { part, maxBytes } = body.file;
  const schema = operation.body;
  const { file, fields } = await readForm(request, {
    file: part,
    maxBytes,
    receive: async (pieces, preceding) => ({
      received: await receive(pieces, validFields(schema, preceding) as never),
    }),
  });
  const valid = validate(schema, fields) as ParsedBody<OperationId>;
  validate(z.object({ [part]: z.custom((value) => value !== undefined, 'required') }), { [part]: file });
  return { fields: valid, file: file?.received };
}

/** Leaves out invalid fields. The whole form is validated later. */
function validFields(schema: z.ZodType, fields: Record<string, string>): Record<string, unknown> {
  if (!(schema instanceof z.ZodObject)) return {};
  const shape = schema.shape as Record<string, z.ZodType>;
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, text]) => {
      const result = shape[name]?.safeParse(text);
      return result?.success ? [[name, result.data]] : [];
    }),
  );
}
