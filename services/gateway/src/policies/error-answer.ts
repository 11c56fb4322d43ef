import { toAppError, toErrorBody, type Logger } from '@najwa/common';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { exchangeOf } from '../exchange.js';
import { answerJson } from './json-answer.js';

export interface ErrorAnswerDeps {
  logger: Logger;
  /** The headers of an answer as data, which an error is, whatever was asked for. */
  headers: RequestHandler;
}

/** Answers every error as `{message, code}`. What is unknown is logged, once, and tells the caller nothing. */
export function createErrorAnswer({ logger, headers }: ErrorAnswerDeps): ErrorRequestHandler {
  // Express knows an error handler by its four parameters.
  return (error: unknown, request, response, _next) => {
    const appError = toAppError(error);
    if (appError.code === 'internal')
      logger.error({ err: error, requestId: exchangeOf(response).requestId, method: request.method }, 'request failed');
    if (response.headersSent) {
      response.destroy();
      return;
    }
    headers(request, response, () => undefined);
    if (appError.retryAfter !== undefined) response.setHeader('Retry-After', String(Math.ceil(appError.retryAfter)));
    answerJson(response, appError.httpStatus, toErrorBody(appError));
  };
}
