import type { Readable } from 'node:stream';
import { AppError } from '@najwa/common/errors';
import { FORWARDED_HOST_HEADER } from '@najwa/common/http';
import { IDENTITY_HEADER } from '@najwa/common/identity';
import type { ArrivalRules } from '@najwa/common/limits';
import { REQUEST_ID_HEADER, type Logger } from '@najwa/common/logging';
import type { TrackingMode } from '@najwa/common/retention';
import { TRACEPARENT_HEADER } from '@najwa/common/tracing';
import { LIMITS } from '@najwa/proto/http/client';
import type { Request, RequestHandler, Response } from 'express';
import { Cancellation, unavailable, wholeBody, type UpstreamAnswer, type Upstreams } from '../clients/upstreams.js';
import { accepts, gzipPrivate, MAX_COMPRESSED_BYTES, MIN_COMPRESSED_BYTES } from '../domain/compression.js';
import { refuseConcurrency } from '../domain/concurrency-limit.js';
import { headersForClient, headersForService, readerLanguage } from '../domain/headers.js';
import { maxBytesOf } from '../domain/operations.js';
import { ClientGoneError, collectBody, hasBody, isLargeBody, mayHaveFile, meterBody } from '../domain/request-body.js';
import type { Upload, Uploads } from '../domain/uploads.js';
import { callerOf, exchangeOf, isGone, logIdsOf, type Exchange } from '../exchange.js';

export interface UpstreamPolicyDeps {
  upstreams: Upstreams;
  logger: Logger;
  uploads: Uploads;
  arrival: ArrivalRules;
  tracking: TrackingMode;
}

function headersOf(
  request: Request,
  { requestId, origin, identityToken, upstream }: Exchange,
  tracking: TrackingMode,
): Record<string, string | string[]> {
  const headers = headersForService(request.headers, tracking);
  headers[REQUEST_ID_HEADER] = requestId;
  headers[FORWARDED_HOST_HEADER] = origin.host;
  headers['x-forwarded-proto'] = origin.protocol;
  if (upstream === 'web') headers['cookie'] = `language=${readerLanguage(request.headers.cookie)}`;
  if (identityToken !== undefined) headers[IDENTITY_HEADER] = identityToken;
  return headers;
}

function setHeaders(response: Response, headers: Record<string, string | string[]>): void {
  const cacheControl = String(headers['cache-control'] ?? '');
  // A shared cache such as a CDN would send one visitor's cookie to all.
  if (/\bpublic\b/.test(cacheControl)) response.removeHeader('Set-Cookie');
  for (const [name, value] of Object.entries(headers)) {
    if (name === 'set-cookie') response.appendHeader(name, value);
    else response.setHeader(name, value);
  }
}

/** Cheaper than `pipeline`. A disconnected client aborts the upstream request anyway. */
function passOn(body: Buffer | Readable, response: Response): Promise<void> | void {
  if (Buffer.isBuffer(body)) {
    // Node writes the head and a string at once, but a buffer separately.
    response.end(body.toString('latin1'), 'latin1');
    return;
  }
  return new Promise((resolve, reject) => {
    body.once('error', reject);
    response.once('error', reject);
    response.once('finish', resolve);
    body.pipe(response);
  });
}

/** Large JSON. A service's own entity tag would not fit the compressed form. */
function isCompressible({ statusCode, headers }: UpstreamAnswer): boolean {
  const length = Number(headers['content-length'] ?? 0);
  return (
    (statusCode === 200 || statusCode === 201) &&
    length >= MIN_COMPRESSED_BYTES &&
    length <= MAX_COMPRESSED_BYTES &&
    headers['content-encoding'] === undefined &&
    headers['etag'] === undefined &&
    /^application\/json\b/.test(String(headers['content-type']))
  );
}

async function sendCompressible(request: Request, response: Response, { body }: UpstreamAnswer): Promise<void> {
  response.vary('Accept-Encoding');
  if (request.method === 'HEAD' || !accepts('gzip', request.headers['accept-encoding'])) {
    await passOn(body, response);
    return;
  }
  const compressed = await gzipPrivate(await wholeBody(body));
  response.setHeader('Content-Encoding', 'gzip');
  response.setHeader('Content-Length', compressed.length);
  response.end(compressed);
}

/** From a proxy in between. */
const isForeignFault = ({ statusCode, headers }: UpstreamAnswer): boolean =>
  statusCode >= 500 && !/^application\/json\b/.test(String(headers['content-type']));

/** @throws {AppError} `unavailable` if the service breaks off before its body, or a proxy answered */
async function sendAnswer(request: Request, response: Response, answer: UpstreamAnswer): Promise<void> {
  if (isForeignFault(answer)) {
    if (!Buffer.isBuffer(answer.body)) answer.body.on('error', () => undefined).destroy();
    throw unavailable(new Error(`The service was answered for with status ${answer.statusCode}.`));
  }
  const passed = headersForClient(answer.headers);
  response.statusCode = answer.statusCode;
  setHeaders(response, passed);
  try {
    if (isCompressible(answer)) await sendCompressible(request, response, answer);
    else await passOn(answer.body, response);
  } catch (error) {
    if (response.headersSent) throw error;
    for (const name of Object.keys(passed)) response.removeHeader(name);
    throw unavailable(error);
  }
}

/** Not logged. */
export function isClientGone(error: unknown): boolean {
  const cause = error instanceof AppError ? error.cause : error;
  return (
    cause instanceof ClientGoneError ||
    (cause instanceof Error &&
      (cause.name === 'AbortError' || (cause as { code?: unknown }).code === 'ERR_STREAM_PREMATURE_CLOSE'))
  );
}

/**
 * Held until the answer, since a received file is still to be decoded.
 * @throws {AppError} `too_many_requests`, `unavailable`
 */
export function beginUpload(uploads: Uploads, response: Response): Upload {
  const upload = uploads.begin(exchangeOf(response).origin.scopes);
  if (typeof upload === 'string') throw refuseConcurrency(upload);
  response.once('close', () => upload.end());
  return upload;
}

/** Streams large bodies. Collects small ones, so that a slow client holds no connection to a service. */
export function createUpstreamPolicy(deps: UpstreamPolicyDeps): RequestHandler {
  const { upstreams, logger, uploads, arrival, tracking } = deps;
  const bodyOf = (
    request: Request,
    { operation, pace }: Exchange,
    upload: Upload | undefined,
  ): Promise<Buffer> | Readable => {
    const maxBytes = operation ? maxBytesOf(operation) : LIMITS.jsonBytes;
    if (upload === undefined) return collectBody(request, maxBytes, arrival);
    const body = meterBody(request, maxBytes, { arrival, pace });
    upload.carry(body);
    return body;
  };

  const forward = async (request: Request, response: Response): Promise<void> => {
    const exchange = exchangeOf(response);
    if (exchange.upstream === undefined) throw new Error('The endpoint has no service.');
    if (isGone(response)) throw new ClientGoneError();
    const upload = hasBody(request) && isLargeBody(request) ? beginUpload(uploads, response) : undefined;
    const cancellation = new Cancellation();
    response.once('close', () => {
      if (!response.writableFinished) cancellation.cancel(new ClientGoneError());
    });
    const headers = headersOf(request, exchange, tracking);
    const body = hasBody(request) ? await bodyOf(request, exchange, upload) : undefined;
    if (Buffer.isBuffer(body) && exchange.operation && mayHaveFile(request, exchange.operation, body))
      beginUpload(uploads, response);
    const length = request.headers['content-length'];
    if (body !== undefined && length !== undefined) headers['content-length'] = length;

    const step = exchange.span?.child(exchange.upstream, 'client', { 'http.request.method': request.method });
    if (step !== undefined) headers[TRACEPARENT_HEADER] = step.traceparent;
    const answer = await upstreams.request(exchange.upstream, {
      method: request.method,
      path: exchange.upstreamPath ?? request.originalUrl,
      headers,
      cancellation,
      caller: callerOf(exchange),
      step,
      ...(body && { body }),
    });
    await sendAnswer(request, response, answer);
  };

  return (request, response, next) => {
    forward(request, response).catch((error: unknown) => {
      if (isClientGone(error)) return;
      const exchange = exchangeOf(response);
      if (error instanceof AppError && error.httpStatus < 500) {
        next(error);
        return;
      }
      logger.warn(
        { err: error, ...logIdsOf(exchange), upstream: exchange.upstream },
        response.headersSent ? 'upstream answer broke off' : 'no upstream answer',
      );
      next(error);
    });
  };
}
