import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { pino, stdSerializers, type DestinationStream, type Logger as PinoLogger } from 'pino';
import { AppError } from '../errors/errors.js';
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

export type Logger = PinoLogger;

export interface LoggerOptions {
  service: string;
  level: string;
  destination?: DestinationStream;
}

const MAX_CAUSES = 3;

/** Omits messages of foreign errors: drivers include values such as duplicate keys or queries. */
function serializeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(error instanceof AppError && { message: error.message }),
    stack: (error.stack ?? '')
      .split('\n')
      .filter((line) => /^\s+at /.test(line))
      .slice(0, 12)
      .join('\n'),
    ...(error.cause !== undefined && depth < MAX_CAUSES && { cause: serializeError(error.cause, depth + 1) }),
  };
}

export function createLogger({ service, level, destination }: LoggerOptions): Logger {
  const options = {
    level,
    base: { service },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    mixin: () => {
      const requestId = currentRequestId();
      if (requestId === undefined) return {};
      const traceId = currentSpan()?.traceId;
      return traceId === undefined ? { requestId } : { requestId, traceId };
    },
    serializers: { ...stdSerializers, err: (error: unknown) => serializeError(error) },
  };
  return destination ? pino(options, destination) : pino(options);
}
