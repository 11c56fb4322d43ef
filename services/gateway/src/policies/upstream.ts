import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError, FORWARDED_HOST_HEADER, IDENTITY_HEADER, REQUEST_ID_HEADER, type Logger } from '@najwa/common';
import type { Request, RequestHandler, Response } from 'express';
import type { UpstreamAnswer, Upstreams } from '../clients/upstreams.js';
import { headersForClient, headersForService } from '../domain/http-headers.js';
import { exchangeOf, type Exchange } from '../exchange.js';

export interface UpstreamPolicyDeps {
  upstreams: Upstreams;
  logger: Logger;
}

const WITHOUT_BODY = new Set(['GET', 'HEAD']);

const hasBody = ({ method, headers }: Request): boolean =>
  !WITHOUT_BODY.has(method) &&
  (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0);

/**
 * The body as a stream that may be thrown away. A service that answers before it has read everything makes undici destroy
 * what it was given; were that the request itself, the client's connection would go with it, and the answer too.
 */
function bodyOf(request: Request): Readable {
  const body = new PassThrough();
  body.on('error', () => undefined);
  body.once('close', () => {
    request.unpipe(body);
    request.resume();
  });
  return request.pipe(body);
}

function headersOf(
  request: Request,
  { requestId, client, identityToken }: Exchange,
): Record<string, string | string[]> {
  const headers = headersForService(request.headers);
  headers[REQUEST_ID_HEADER] = requestId;
  headers[FORWARDED_HOST_HEADER] = client.host;
  headers['x-forwarded-proto'] = client.protocol;
  if (identityToken !== undefined) headers[IDENTITY_HEADER] = identityToken;
  return headers;
}

function writeHead(response: Response, { statusCode, headers }: UpstreamAnswer): void {
  response.statusCode = statusCode;
  for (const [name, value] of Object.entries(headersForClient(headers))) {
    if (name === 'set-cookie') response.appendHeader(name, value);
    else response.setHeader(name, value);
  }
}

/** The pieces of an exchange whose client has left fail with one of these; that is nobody's fault. */
function isClientGone(error: unknown): boolean {
  const cause = error instanceof AppError ? error.cause : error;
  return (
    cause instanceof Error &&
    (cause.name === 'AbortError' || (cause as { code?: unknown }).code === 'ERR_STREAM_PREMATURE_CLOSE')
  );
}

/** Hands the request to the endpoint's service and its answer to the client, as streams both ways. */
export function createUpstreamPolicy({ upstreams, logger }: UpstreamPolicyDeps): RequestHandler {
  const forward = async (request: Request, response: Response): Promise<void> => {
    const exchange = exchangeOf(response);
    if (exchange.service === undefined) throw new Error('The endpoint has no service.');
    const headers = headersOf(request, exchange);
    const withBody = hasBody(request);
    const length = request.headers['content-length'];
    if (withBody && length !== undefined) headers['content-length'] = length;

    const gone = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) gone.abort();
    });
    const answer = await upstreams.request(exchange.service, {
      method: request.method,
      path: request.originalUrl,
      headers,
      signal: gone.signal,
      ...(withBody && { body: bodyOf(request) }),
    });
    writeHead(response, answer);
    await pipeline(answer.body, response);
  };

  return (request, response, next) => {
    forward(request, response).catch((error: unknown) => {
      if (isClientGone(error)) return;
      const { requestId, service } = exchangeOf(response);
      logger.warn(
        { err: error, requestId, upstream: service },
        response.headersSent ? 'answer broke off' : 'no answer',
      );
      next(error);
    });
  };
}
