import type { ErrorRequestHandler, RequestHandler } from 'express';
import { AppError, toAppError, toErrorBody, type ErrorCode } from '../errors/errors.js';
import type { Logger } from '../logging/logger.js';

const PARSER_FAULTS: Record<string, { code: ErrorCode; message: string }> = {
  'entity.too.large': { code: 'payload_too_large', message: 'The request is larger than this call accepts.' },
  'entity.parse.failed': { code: 'malformed', message: 'The body is not valid JSON.' },
  'encoding.unsupported': {
    code: 'unsupported_media_type',
    message: 'The content encoding of the body is not supported.',
  },
  'charset.unsupported': {
    code: 'unsupported_media_type',
    message: 'The character set of the body is not supported.',
  },
  'request.aborted': { code: 'malformed', message: 'The request body is incomplete.' },
  'request.size.invalid': { code: 'malformed', message: 'The body does not match Content-Length.' },
};

function fromExpress(error: unknown): AppError {
  if (!(error instanceof Error) || error instanceof AppError) return toAppError(error);
  const { type, status } = error as { type?: unknown; status?: unknown };
  const fault = typeof type === 'string' ? PARSER_FAULTS[type] : undefined;
  if (fault) return new AppError({ ...fault, cause: error });
  if (status === 400) return new AppError({ code: 'malformed', message: 'The request is malformed.', cause: error });
  return toAppError(error);
}

/** Sends errors as `{message, code}`. Unknown ones are logged once and sent as `internal`. */
export function errorHandler(logger: Logger): ErrorRequestHandler {
  // Express recognises error handlers by four parameters.
  return (error, request, response, _next) => {
    const appError = fromExpress(error);
    if (appError.httpStatus >= 500) logger.error({ err: error as unknown, method: request.method }, 'request failed');
    if (response.headersSent) {
      response.destroy();
      return;
    }
    // The handler may have set caching headers.
    response.set('Cache-Control', 'no-store').removeHeader('ETag');
    // The client stopped sending: the connection cannot be reused.
    if (appError.code === 'request_timeout') response.set('Connection', 'close');
    if (appError.retryAfter !== undefined) response.set('Retry-After', String(Math.ceil(appError.retryAfter)));
    if (appError.code === 'request_timeout') response.set('Connection', 'close');
    response.status(appError.httpStatus).json(toErrorBody(appError));
  };
}

export const notFoundHandler: RequestHandler = () => {
  throw new AppError({ code: 'not_found', message: 'Not found.' });
};
