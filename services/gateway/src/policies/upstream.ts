import { buffer } from 'node:stream/consumers';
import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError, FORWARDED_HOST_HEADER, IDENTITY_HEADER, REQUEST_ID_HEADER, type Logger } from '@najwa/common';
import { LIMITS } from '@najwa/proto/http/client';
import type { Request, RequestHandler, Response } from 'express';
import type { UpstreamAnswer, Upstreams } from '../clients/upstreams.js';
import type { ConcurrencyLimit } from '../domain/concurrency-limit.js';
import { headersForClient, headersForService } from '../domain/headers.js';
import { ClientGoneError, hasBody, isLargeBody, meterBody, type ArrivalRules } from '../domain/request-body.js';
import { exchangeOf, type Exchange } from '../exchange.js';
import { maxBytesOf, refuseConcurrency } from './admission.js';

export interface UpstreamPolicyDeps {
  upstreams: Upstreams;
  logger: Logger;
  /** Limits concurrent large bodies. */
  uploads: ConcurrencyLimit;
  arrival: ArrivalRules;
}

function headersOf(
  request: Request,
  { requestId, origin, identityToken }: Exchange,
): Record<string, string | string[]> {
  const headers = headersForService(request.headers);
  headers[REQUEST_ID_HEADER] = requestId;
  headers[FORWARDED_HOST_HEADER] = origin.host;
  headers['x-forwarded-proto'] = origin.protocol;
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

/** True for errors caused by a client that disconnects. They are not logged. */
function isClientGone(error: unknown): boolean {
  const cause = error instanceof AppError ? error.cause : error;
  return (
    cause instanceof ClientGoneError ||
    (cause instanceof Error &&
      (cause.name === 'AbortError' || (cause as { code?: unknown }).code === 'ERR_STREAM_PREMATURE_CLOSE'))
  );
}

/**
 * Passes the request on to the endpoint's service, and its answer back. Large bodies are streamed. Small ones are
 * collected first, so that a slow client never holds a connection to a service.
 */
export function createUpstreamPolicy({ upstreams, logger, uploads, arrival }: UpstreamPolicyDeps): RequestHandler {
  const bodyOf = (request: Request, { operation }: Exchange): Promise<Buffer> | Transform => {
    const body = meterBody(request, operation ? maxBytesOf(operation) : LIMITS.jsonBytes, arrival);
    return isLargeBody(request) ? body : buffer(body);
  };

  /** @returns a function that releases the upload slot */
  const acquirePlace = (request: Request, { origin }: Exchange): (() => void) => {
    const release = hasBody(request) && isLargeBody(request) ? uploads.acquire(origin.network) : () => undefined;
    if (typeof release === 'string') throw refuseConcurrency(release);
    return release;
  };

  const forward = async (request: Request, response: Response): Promise<void> => {
    const exchange = exchangeOf(response);
    if (exchange.upstream === undefined) throw new Error('The endpoint has no service.');
    const release = acquirePlace(request, exchange);
    const gone = new AbortController();
    response.once('close', () => {
      release();
      if (!response.writableFinished) gone.abort();
    });
    const headers = headersOf(request, exchange);
    const body = hasBody(request) ? await bodyOf(request, exchange) : undefined;
    const length = request.headers['content-length'];
    if (body !== undefined && length !== undefined) headers['content-length'] = length;

    const answer = await upstreams.request(exchange.upstream, {
      method: request.method,
      path: request.originalUrl,
      headers,
      signal: gone.signal,
      ...(body && { body }),
    });
    writeHead(response, answer);
    await pipeline(answer.body, response);
  };

  return (request, response, next) => {
    forward(request, response).catch((error: unknown) => {
      if (isClientGone(error)) return;
      const { requestId, upstream } = exchangeOf(response);
      if (error instanceof AppError && error.httpStatus < 500) {
        next(error);
        return;
      }
      logger.warn(
        { err: error, requestId, upstream },
        response.headersSent ? 'upstream answer broke off' : 'no upstream answer',
      );
      next(error);
    });
  };
}
