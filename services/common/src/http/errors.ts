import type { ErrorRequestHandler, RequestHandler } from 'express';
import { AppError, toAppError, toErrorBody, type ErrorCode } from '../errors.js';
import type { Logger } from '../logger.js';

/** Errors of Express and its body parser, by their `type`. */
const PARSER_FAULTS: Record<string, { code: ErrorCode; message: string }> = {
  'entity.too.large': { code: 'payload_too_large', message: 'The request is larger than this call accepts.' },
  'entity.parse.failed': { code: 'malformed', message: 'The body is not valid JSON.' },
  'encoding.unsupported': {
    code: 'unsupported_media_type',
    message: 'The body has an encoding that this call does not accept.',
  },
  'charset.unsupported': {
    code: 'unsupported_media_type',
    message: 'The body has a character set that this call does not accept.',
  },
  'request.aborted': { code: 'malformed', message: 'The request ended before it was whole.' },
  'request.size.invalid': { code: 'malformed', message: 'The body is not as long as the request says.' },
};

function fromExpress(error: unknown): AppError {
  if (!(error instanceof Error) || error instanceof AppError) return toAppError(error);
  const { type, status } = error as { type?: unknown; status?: unknown };
  const fault = typeof type === 'string' ? PARSER_FAULTS[type] : undefined;
  if (fault) return new AppError({ ...fault, cause: error });
  if (status === 400) return new AppError({ code: 'malformed', message: 'The request is malformed.', cause: error });
  return toAppError(error);
}

/** Answers every error below /api as `{message, code}`. Logs an unknown error once and tells the caller nothing about it. */
export function errorHandler(logger: Logger): ErrorRequestHandler {
  // Express recognises an error handler by its four parameters.
  return (error, request, response, _next) => {
    const appError = fromExpress(error);
    if (appError.httpStatus >= 500) logger.error({ err: error as unknown, method: request.method }, 'request failed');
    if (response.headersSent) {
      response.destroy();
      return;
    }
    // A handler may have set the caching headers of the answer that it meant to give.
    response.set('Cache-Control', 'no-store').removeHeader('ETag');
    // The client does not send on, so the connection is of no more use.
    if (appError.code === 'request_timeout') response.set('Connection', 'close');
    if (appError.retryAfter !== undefined) response.set('Retry-After', String(Math.ceil(appError.retryAfter)));
    // The rest of a body that arrives too slowly must not keep its connection.
    if (appError.code === 'request_timeout') response.set('Connection', 'close');
    response.status(appError.httpStatus).json(toErrorBody(appError));
  };
}

/** Answers a path that no route matches. */
export const notFoundHandler: RequestHandler = () => {
  throw new AppError({ code: 'not_found', message: 'There is nothing at this address.' });
};
