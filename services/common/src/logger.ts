import { pino, stdSerializers, type DestinationStream, type Logger as PinoLogger } from 'pino';
import { AppError } from './errors.js';
import { currentRequestId } from './request-context.js';

export type Logger = PinoLogger;

export interface LoggerOptions {
  service: string;
  level: string;
  /** Where lines go; standard output unless told. */
  destination?: DestinationStream;
}

const MAX_CAUSES = 3;

/**
 * What may be told of an error: type, code and stack frames. Messages of errors that are not ours are left out,
 * since drivers put the offending value, such as a duplicate key or a failed query, into them.
 */
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

/** A logger whose lines are JSON with the service and the request id, and never hold an error's foreign message. */
export function createLogger({ service, level, destination }: LoggerOptions): Logger {
  const options = {
    level,
    base: { service },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    mixin: () => {
      const requestId = currentRequestId();
      return requestId === undefined ? {} : { requestId };
    },
    serializers: { ...stdSerializers, err: (error: unknown) => serializeError(error) },
  };
  return destination ? pino(options, destination) : pino(options);
}
