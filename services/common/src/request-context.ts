import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

interface RequestContext {
  requestId: string;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** Header and metadata key of the request id. */
export const REQUEST_ID_HEADER = 'x-request-id';

const REQUEST_ID = /^[A-Za-z0-9-]{8,64}$/;

/** Runs a function with a request id that is added to all its logs, calls and events. An invalid id is replaced. */
export function withRequestId<T>(candidate: string | undefined, run: () => T): T {
  const requestId = candidate !== undefined && REQUEST_ID.test(candidate) ? candidate : randomUUID();
  return storage.run({ requestId }, run);
}

/** Current request id, or undefined outside of a request. */
export function currentRequestId(): string | undefined {
  return storage.getStore()?.requestId;
}
