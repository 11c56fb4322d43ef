import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { AppError, toAppError, toErrorBody } from '@najwa/common/errors';
import { cookieAttributes } from '@najwa/common/http';
import type { Logger } from '@najwa/common/logging';
import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import { accepts, gzipPrivate } from '../domain/compression.js';
import { discardBody, isLargeBody, LINGER_MS } from '../domain/request-body.js';
import { apiHeadersFor, pageHeadersFor, type HeaderList } from '../domain/security-headers.js';
import { exchangeOf, logIdsOf } from '../exchange.js';

/** Express's own way needs its application. */
export function answerJson(response: Response, status: number, value: unknown): void {
  const body = Buffer.from(JSON.stringify(value));
  answerWith(response, status, { 'Content-Type': 'application/json; charset=utf-8' }, body);
}

export function answerWith(response: Response, status: number, headers: OutgoingHttpHeaders, body: Buffer): void {
  const request: IncomingMessage = response.req;
  const isUnread = isLargeBody(request) && !request.complete;
  response.writeHead(status, {
    ...headers,
    'Content-Length': body.length,
    'Cache-Control': 'no-store',
    ...(isUnread && { Connection: 'close' }),
  });
  if (isUnread) endAfterLingering(request, response, body);
  // Node omits the body for HEAD.
  else response.end(body);
}

/** Private: the compressed length is masked. */
export async function answerPage(
  response: Response,
  status: number,
  { html, headers }: { html: Buffer; headers: readonly (readonly [name: string, value: string | string[]])[] },
): Promise<void> {
  const isCompressed = accepts('gzip', response.req.headers['accept-encoding']);
  const own = { ...Object.fromEntries(headers), vary: 'Accept-Encoding' };
  if (isCompressed) answerWith(response, status, { ...own, 'content-encoding': 'gzip' }, await gzipPrivate(html));
  else answerWith(response, status, own, html);
}

/** Temporary: an account may take the name later. */
export function redirect(response: Response, path: string, status: 302 | 303 | 307 = 302): void {
  response.writeHead(status, { Location: path, 'Content-Length': 0, 'Cache-Control': 'no-store' });
  response.end();
}

/** Closing at once would reset the connection of a client that still sends, which would lose the answer. */
function endAfterLingering(request: IncomingMessage, response: Response, body: Buffer): void {
  response.write(body);
  const end = (): void => {
    clearTimeout(deadline);
    response.end();
  };
  const deadline = setTimeout(end, LINGER_MS);
  request.once('end', end);
  request.once('close', end);
  discardBody(request, exchangeOf(response).pace);
}

export interface ErrorAnswerDeps {
  logger: Logger;
  headers: RequestHandler;
}

/** As `{message, code}`, or as the page of the form. Unknown errors are logged once and not sent. */
export function createErrorAnswer({ logger, headers }: ErrorAnswerDeps): ErrorRequestHandler {
  // Express recognises error handlers by four parameters.
  return (error: unknown, request, response, _next) => {
    const appError = toAppError(error);
    if (appError.code === 'internal')
      logger.error({ err: error, ...logIdsOf(exchangeOf(response)), method: request.method }, 'request failed');
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (appError.retryAfter !== undefined) response.setHeader('Retry-After', String(Math.ceil(appError.retryAfter)));
    const answer = (): void => {
      headers(request, response, () => undefined);
      answerJson(response, appError.httpStatus, toErrorBody(appError));
    };
    const { answerError } = exchangeOf(response);
    if (answerError === undefined) answer();
    else
      answerError(appError).catch(() => {
        if (response.headersSent) response.destroy();
        else answer();
      });
  };
}

export function createReadOnly(): RequestHandler {
  return (request, response, next) => {
    if (request.method === 'GET' || request.method === 'HEAD') {
      next();
      return;
    }
    response.setHeader('Allow', 'GET, HEAD');
    next(new AppError({ code: 'method_not_allowed', message: 'A page can only be read.' }));
  };
}

export function createNotFound(): RequestHandler {
  return (_request, _response, next) => next(new AppError({ code: 'not_found', message: 'Not found.' }));
}

const createHeaders =
  (headersFor: (isSecure: boolean) => HeaderList): RequestHandler =>
  (_request, response, next) => {
    const { secure } = cookieAttributes(exchangeOf(response).origin.host);
    for (const [name, value] of headersFor(secure)) response.setHeader(name, value);
    next();
  };

export const createApiHeaders = (): RequestHandler => createHeaders(apiHeadersFor);

export const createPageHeaders = (): RequestHandler => createHeaders(pageHeadersFor);
