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
  type ParsedForm,
  type Query,
  type RequiresSession,
  type Route,
  type RouteBody,
  type Routes,
} from '@najwa/proto/http';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import { z } from 'zod';
import { AppError } from '../errors/errors.js';
import type { Identity } from '../identity/identity.js';
import { validate } from '../errors/validation.js';
import { identityOf, noteOperation } from './app.js';
import { readBody, refuseByHeaders } from './body.js';
import { readForm } from './form.js';

type SignedInIdentity = Identity & { user: NonNullable<Identity['user']> };

export type CallerOf<Id extends OperationId> = RequiresSession<Id> extends true ? SignedInIdentity : Identity;

export interface Caller<Id extends OperationId> {
  identity: CallerOf<Id>;
  params: Params<Id>;
  query: Query<Id>;
  request: Request;
}

export interface IncomingForm<Id extends OperationId> extends AsyncIterable<Buffer> {
  /** Valid fields before the file, from its first piece on: a form can be refused unread. */
  preceding(): Partial<ParsedForm<Id>>;
  /** After the end. @throws {AppError} `invalid_input`, also without a file */
  complete(): ParsedForm<Id>;
}

/** By the type of the body. */
type Content<Id extends OperationId, Kind = Routes[Id]['body']['kind']> = Kind extends 'form'
  ? { body: undefined; form: IncomingForm<Id> }
  : | { body: ParsedBody<Id>; form: undefined }
    | (Kind extends 'message' ? { body: undefined; form: IncomingForm<Id> } : never);

export type Call<Id extends OperationId> = Caller<Id> & Content<Id> & { response: Response };

type AnswerOf<Id extends OperationId> = Answer<Id> extends undefined ? void : Answer<Id>;

/** Returns nothing if the response is no JSON, and may write a file to it. */
export type Handler<Id extends OperationId> = (call: Call<Id>) => AnswerOf<Id> | Promise<AnswerOf<Id>>;

/** `limit` runs before the body is read and throws to refuse. `handle` gets its result. */
export interface LimitedHandler<Id extends OperationId, Found = unknown> {
  limit: (caller: Caller<Id>) => Promise<Found>;
  // A method, so that a table of handlers accepts each with its own result.
  handle(this: void, call: Call<Id>, found: Found): AnswerOf<Id> | Promise<AnswerOf<Id>>;
}

export type Handlers<Service extends ApiService> = {
  [Id in OperationOf<Service>]: Handler<Id> | LimitedHandler<Id>;
};

type AnyHandler = Handler<OperationId> | LimitedHandler<OperationId>;

/**
 * Routes of a service from the HTTP contract: role, path and query, limits, bounded body, validation, handler,
 * response.
 */
export function createRoutes<Service extends ApiService>(_service: Service, handlers: Handlers<Service>): Router {
  const router = Router();
  // Fewer parameters first: `/api/messages/sent` also matches `/api/messages/{id}`.
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
    const found = await limit?.(caller);
    refuseByHeaders(request, route);
    const form = incomingForm(request, route, operation);
    const body = form === undefined ? await validBody(request, route, operation) : undefined;
    const call = { ...caller, body, form, response } as unknown as Call<OperationId>;
    const answer: unknown = await handle(call, found);
    if (operation.answer.body) response.status(operation.answer.status).json(answer);
    else if (!operation.answer.media) response.status(operation.answer.status).end();
  };
}

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

type FormBody = Extract<RouteBody, { kind: 'form' | 'message' }>;

const isStreamed = (request: Request, body: RouteBody): body is FormBody =>
  body.kind === 'form' || (body.kind === 'message' && isForm(request));

/** A recording, where text is JSON. */
export const isForm = (request: Request): boolean => typeof request.is('multipart/form-data') === 'string';

function incomingForm(
  request: Request,
  { body }: Route,
  { body: json, form: schema = json }: OperationSpec,
): IncomingForm<OperationId> | undefined {
  if (!schema || !isStreamed(request, body)) return undefined;
  const { part, maxBytes } = body.file;
  const form = readForm(request, { file: part, maxBytes });
  let hasFile = false;
  return {
    async *[Symbol.asyncIterator]() {
      for await (const piece of form) {
        hasFile = true;
        yield piece;
      }
    },
    preceding: () => validFields(schema, form.fields()) as never,
    complete() {
      const fields = validate(schema, form.fields()) as never;
      validate(z.object({ [part]: z.custom(() => hasFile, 'required') }), { [part]: hasFile });
      return fields;
    },
  };
}

/** Omits invalid fields. The whole form is validated later. */
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
