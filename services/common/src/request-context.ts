import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

interface RequestContext {
  requestId: string;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** The header and metadata name that carries the request id between processes. */
export const REQUEST_ID_HEADER = 'x-request-id';

const REQUEST_ID = /^[A-Za-z0-9-]{8,64}$/;

/** Runs a function so that everything it logs, calls or publishes carries the request id. An id of another shape is replaced. */
export function withRequestId<T>(candidate: string | undefined, run: () => T): T {
  const requestId = candidate !== undefined && REQUEST_ID.test(candidate) ? candidate : randomUUID();
  return storage.run({ requestId }, run);
}

/** Id of the request under way, or undefined outside of one. */
export function currentRequestId(): string | undefined {
  return storage.getStore()?.requestId;
}
