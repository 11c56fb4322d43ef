import { pino, stdSerializers, type DestinationStream, type Logger as PinoLogger } from 'pino';
import { AppError } from '../errors/errors.js';
import { currentRequestId, currentSpan } from './request-context.js';

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
