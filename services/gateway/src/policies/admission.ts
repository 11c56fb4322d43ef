import { AppError } from '@najwa/common/errors';
import { acceptedTypes } from '@najwa/proto/http/client';
import type { Request, RequestHandler, Response } from 'express';
import { matchOperation, maxBytesOf, type Operation } from '../domain/operations.js';
import { contentLengthOf, hasBody, payloadTooLarge } from '../domain/request-body.js';
import type { Windows } from '../domain/windows.js';
import { exchangeOf } from '../exchange.js';

export interface AdmissionDeps {
  networks: Pick<Windows, 'take'>;
  onRefused?: () => void;
}

/**
 * Generous, per replica: stops floods, not normal use.
 * @throws {AppError} `too_many_requests`
 */
function takeFromNetwork({ networks, onRefused = () => undefined }: AdmissionDeps, network: string): void {
  const waitMs = networks.take(network);
  if (waitMs === 0) return;
  onRefused();
  const retryAfter = Math.max(1, Math.ceil(waitMs / 1000));
  throw new AppError({ code: 'too_many_requests', message: 'Too many requests. Wait a moment.', retryAfter });
}

function operationOf(request: Request, response: Response): Operation {
  const match = matchOperation(request.method, request.path);
  if (match === undefined) throw new AppError({ code: 'not_found', message: 'Not found.' });
  if (match.operation !== undefined) return match.operation;
  response.setHeader('Allow', match.methods.join(', '));
  throw new AppError({ code: 'method_not_allowed', message: 'This path does not support the method.' });
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const DEFAULT_PORTS: Record<string, string> = { 'http:': '80', 'https:': '443' };

/** Ignores the scheme: a proxy may have terminated TLS without saying so. */
export function isOwnOrigin(origin: string, host: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, host: originHost, hostname } = new URL(origin);
  const own = host.toLowerCase();
  return originHost === own || `${hostname}:${DEFAULT_PORTS[protocol] ?? ''}` === own;
}

function isCrossSite({ headers }: Request, host: string): boolean {
  const { origin } = headers;
  if (headers['sec-fetch-site'] === 'cross-site') return true;
  // Without an Origin, the client is no current browser or sends a header that no page can send to another site.
  if (origin === undefined) return headers['x-requested-with'] === undefined;
  return !isOwnOrigin(origin, host);
}

/** Clients send `{}` with any POST. */
function isAcceptedType(request: Request, operation: Operation): boolean {
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (type === undefined) return !hasBody(request);
  const accepted: readonly string[] = operation.body.kind === 'none' ? ['application/json'] : acceptedTypes(operation);
  return accepted.includes(type);
}

/**
 * Refuses state changes by pages of other sites, by origin and by what a form can send.
 * @throws {AppError} `cross_site`, `unsupported_media_type`
 */
function refuseCrossSite(request: Request, operation: Operation, host: string): void {
  if (SAFE_METHODS.has(request.method)) return;
  if (isCrossSite(request, host))
    throw new AppError({ code: 'cross_site', message: 'This request did not come from our own pages.' });
  if (!isAcceptedType(request, operation))
    throw new AppError({ code: 'unsupported_media_type', message: 'This call does not accept that kind of body.' });
}

const inSteps =
  (run: (request: Request, response: Response) => void): RequestHandler =>
  (request, response, next) => {
    try {
      run(request, response);
    } catch (error) {
      next(error);
      return;
    }
    next();
  };

export const createNetworkLimit = (deps: AdmissionDeps): RequestHandler =>
  inSteps((_request, response) => takeFromNetwork(deps, exchangeOf(response).origin.network));

/**
 * Admits an API call by its head. Forms have their operation and origin checked already (`form-check`,
 * `sign-in-check`).
 */
export const createAdmission = (deps: AdmissionDeps): RequestHandler =>
  inSteps((request, response) => {
    const exchange = exchangeOf(response);
    takeFromNetwork(deps, exchange.origin.network);
    if (exchange.operation === undefined) {
      exchange.operation = operationOf(request, response);
      exchange.endpoint = exchange.operation.id;
      refuseCrossSite(request, exchange.operation, exchange.origin.host);
    }
    // Chunked bodies are bounded as they arrive.
    if (contentLengthOf(request) > maxBytesOf(exchange.operation)) throw payloadTooLarge();
  });
