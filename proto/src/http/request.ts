import type { Body, GivenParams, GivenQuery } from './operations.js';
import { ROUTES, type OperationId, type Route } from './routes.js';

type Part<Name extends string, Value> = [Value] extends [undefined]
  ? Partial<Record<Name, undefined>>
  : object extends Value
    ? Partial<Record<Name, Value>>
    : Record<Name, Value>;

/** As far as the operation has them. */
export type RequestInput<Id extends OperationId> = Part<'params', GivenParams<Id>> &
  Part<'query', GivenQuery<Id>> &
  Part<'body', Body<Id>> & {
    /** The same for all retries of a submission. */
    idempotencyKey?: string;
    /** `ETag` of the state to change. */
    ifMatch?: string | undefined;
  };

/** Optional without required fields. */
export type RequestArguments<Id extends OperationId> =
  object extends RequestInput<Id> ? [input?: RequestInput<Id>] : [input: RequestInput<Id>];

export interface BuiltRequest {
  /** Relative to /api: `/messages?limit=20`. */
  url: string;
  method: Route['method'];
  /** JSON object or form. */
  body?: object;
  headers: Record<string, string>;
}

const API = '/api';

type Scalar = string | number | boolean;

interface LooseInput {
  params?: Record<string, string | number>;
  query?: Record<string, Scalar | undefined>;
  body?: Record<string, Scalar | Blob | null | undefined>;
  idempotencyKey?: string;
  ifMatch?: string | undefined;
}

/** For fetch or RTK Query. Omits undefined values. */
export function buildRequest<Id extends OperationId>(id: Id, ...[input]: RequestArguments<Id>): BuiltRequest {
  const { method, path }: Route = ROUTES[id];
  const { params = {}, query = {}, body, idempotencyKey, ifMatch } = (input ?? {}) as LooseInput;
  const filled = path.slice(API.length).replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`${id} needs the parameter ${name}.`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  const sent = body && (hasBlob(body) ? toForm(body) : body);
  return {
    url: search.size === 0 ? filled : `${filled}?${search.toString()}`,
    method,
    ...(sent && { body: sent }),
    headers: {
      ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
      ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
    },
  };
}

const hasBlob = (body: object): boolean => Object.values(body).some((value) => value instanceof Blob);

/** Fields before files, so that a server can validate them early. */
function toForm(body: NonNullable<LooseInput['body']>): FormData {
  const form = new FormData();
  const files: [string, Blob][] = [];
  for (const [name, value] of Object.entries(body)) {
    if (value instanceof Blob) files.push([name, value]);
    else if (value !== undefined && value !== null) form.set(name, String(value));
  }
  for (const [name, file] of files) form.set(name, file);
  return form;
}
