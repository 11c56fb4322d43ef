import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { Span } from '../tracing/span.js';

interface RequestContext {
  requestId: string;
  span?: Span | undefined;
}

const storage = new AsyncLocalStorage<RequestContext>();

export const REQUEST_ID_HEADER = 'x-request-id';

const REQUEST_ID = /^[A-Za-z0-9-]{8,64}$/;

/**
 * Adds a request id to all logs, calls and events of the function. An invalid id is replaced.
 * @param span parent of its steps
 */
export function withRequestId<T>(candidate: string | undefined, run: () => T, span?: Span): T {
  const requestId = candidate !== undefined && REQUEST_ID.test(candidate) ? candidate : randomUUID();
  return storage.run({ requestId, span }, run);
}

export function runWithSpan<T>(span: Span, run: () => T): T {
  const current = storage.getStore();
  return current === undefined ? run() : storage.run({ ...current, span }, run);
}

/** For work on behalf of several requests. */
export const outsideRequest = <T>(run: () => T): T => storage.exit(run);

export function currentRequestId(): string | undefined {
  return storage.getStore()?.requestId;
}

export function currentSpan(): Span | undefined {
  return storage.getStore()?.span;
}
