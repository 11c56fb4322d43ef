import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { Span } from '../tracing/span.js';

interface RequestContext {
  requestId: string;
  /** The step in progress, if the request is traced. */
  span?: Span | undefined;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** Header and metadata key of the request id. */
export const REQUEST_ID_HEADER = 'x-request-id';

const REQUEST_ID = /^[A-Za-z0-9-]{8,64}$/;

/**
 * Runs a function with a request id that is added to all its logs, calls and events. An invalid id is replaced.
 * @param span parent of the steps that the function takes
 */
export function withRequestId<T>(candidate: string | undefined, run: () => T, span?: Span): T {
  const requestId = candidate !== undefined && REQUEST_ID.test(candidate) ? candidate : randomUUID();
  return storage.run({ requestId, span }, run);
}

/** Runs a function within another span of the current request. */
export function runWithSpan<T>(span: Span, run: () => T): T {
  const current = storage.getStore();
  return current === undefined ? run() : storage.run({ ...current, span }, run);
}

/** Runs work that a request starts but that is not part of it, such as a job for all requests. */
export const outsideRequest = <T>(run: () => T): T => storage.exit(run);

/** Current request id, or undefined outside of a request. */
export function currentRequestId(): string | undefined {
  return storage.getStore()?.requestId;
}

/** Current step, or undefined if the request is not traced. */
export function currentSpan(): Span | undefined {
  return storage.getStore()?.span;
}
