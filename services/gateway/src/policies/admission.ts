import { AppError } from '@najwa/common';
import { acceptedTypes, LEAVING_OPERATIONS, LIMITS, roleOf, SETUP_OPERATIONS } from '@najwa/proto/http/client';
import type { Request, RequestHandler } from 'express';
import type { ConcurrencyLimit } from '../domain/concurrency-limit.js';
import { matchOperation, type Operation } from '../domain/operations.js';
import type { PresenceUpdates } from '../domain/presence.js';
import { contentLengthOf, hasBody, payloadTooLarge } from '../domain/request-body.js';
import type { Session } from '../domain/sessions.js';
import type { Windows } from '../domain/windows.js';
import { exchangeOf } from '../exchange.js';

export interface NetworkLimitDeps {
  networks: Pick<Windows, 'take'>;
  /** Called for every refused request. */
  onRefused?: () => void;
}

/** A generous per-network limit in the memory of each replica. Stops floods, not normal use. */
export function createNetworkLimit({ networks, onRefused = () => undefined }: NetworkLimitDeps): RequestHandler {
  return (_request, response, next) => {
    const waitMs = networks.take(exchangeOf(response).origin.network);
    if (waitMs === 0) {
      next();
      return;
    }
    onRefused();
    const retryAfter = Math.max(1, Math.ceil(waitMs / 1000));
    next(new AppError({ code: 'too_many_requests', message: 'Too many requests. Wait a moment.', retryAfter }));
  };
}

const RETRY_SECONDS = 2;

/** @param bound the one that is reached: of one network, or of all together */
export const refuseConcurrency = (bound: 'key' | 'total'): AppError =>
  bound === 'key'
    ? new AppError({
        code: 'too_many_requests',
        message: 'Too many requests at once. Wait until some are answered.',
        retryAfter: RETRY_SECONDS,
      })
    : new AppError({
        code: 'unavailable',
        message: 'The site is too busy right now. Try again shortly.',
        retryAfter: RETRY_SECONDS,
      });

/** Limits concurrent requests per network and in total. */
export function createConcurrencyPolicy({ requests }: { requests: ConcurrencyLimit }): RequestHandler {
  return (_request, response, next) => {
    const exchange = exchangeOf(response);
    const release = requests.acquire(exchange.origin.scopes);
    if (typeof release === 'string') {
      next(refuseConcurrency(release));
      return;
    }
    exchange.releaseSlot = release;
    response.once('close', release);
    next();
  };
}

/** Largest accepted body in bytes. A call without a body gets the bound of JSON, and its service ignores it. */
export const maxBytesOf = ({ body }: Operation): number => (body.kind === 'none' ? LIMITS.jsonBytes : body.maxBytes);

/** Finds the operation of the contract. Paths and methods outside of the contract reach no service. */
export function createOperationPolicy(): RequestHandler {
  return (request, response, next) => {
    const match = matchOperation(request.method, request.path);
    if (match === undefined) {
      next(new AppError({ code: 'not_found', message: 'Not found.' }));
    } else if (match.operation === undefined) {
      response.setHeader('Allow', match.methods.join(', '));
      next(new AppError({ code: 'method_not_allowed', message: 'This path does not support the method.' }));
    } else {
      const exchange = exchangeOf(response);
      exchange.operation = match.operation;
      exchange.endpoint = match.operation.id;
      next();
    }
  };
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const DEFAULT_PORTS: Record<string, string> = { 'http:': '80', 'https:': '443' };

/** True if an Origin names the site itself. The scheme is left out: a proxy may have ended TLS without saying so. */
export function isOwnOrigin(origin: string, host: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, host: originHost, hostname } = new URL(origin);
  const own = host.toLowerCase();
  return originHost === own || `${hostname}:${DEFAULT_PORTS[protocol] ?? ''}` === own;
}

function isCrossSite({ headers }: Request, host: string): boolean {
  const { origin } = headers;
  if (headers['sec-fetch-site'] === 'cross-site') return true;
  // Without an Origin the client is no current browser, or sends a header that no page can send to another site.
  if (origin === undefined) return headers['x-requested-with'] === undefined;
  return !isOwnOrigin(origin, host);
}

/** A call without a body also accepts JSON, since clients send `{}` with any POST. */
function isAcceptedType(request: Request, operation: Operation): boolean {
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (type === undefined) return !hasBody(request);
  const accepted: readonly string[] = operation.body.kind === 'none' ? ['application/json'] : acceptedTypes(operation);
  return accepted.includes(type);
}

/** Refuses a state change that a page of another site could have caused: by its origin, and by what a form can send. */
export function createCrossSiteCheck(): RequestHandler {
  return (request, response, next) => {
    const { operation, origin } = exchangeOf(response);
    if (operation === undefined) throw new Error('The operation policy comes before the cross-site check.');
    if (SAFE_METHODS.has(request.method)) next();
    else if (isCrossSite(request, origin.host))
      next(new AppError({ code: 'cross_site', message: 'This request did not come from our own pages.' }));
    else if (!isAcceptedType(request, operation))
      next(new AppError({ code: 'unsupported_media_type', message: 'This call does not accept that kind of body.' }));
    else next();
  };
}

/** Refuses a body by its declared length. A body that does not declare one is cut off while it arrives. */
export function createBodySize(): RequestHandler {
  return (request, response, next) => {
    const { operation } = exchangeOf(response);
    if (operation === undefined) throw new Error('The operation policy comes before the body-size policy.');
    if (contentLengthOf(request) <= maxBytesOf(operation)) next();
    else next(payloadTooLarge());
  };
}

/**
 * The refusal of a session that may call only a few operations for now.
 * @param operation undefined for the event stream, which is not among them
 */
export function refuseLimited({ isLeaving, mustSetUpTotp }: Session, operation?: Operation['id']): AppError | null {
  const isAmong = (allowed: ReadonlySet<Operation['id']>): boolean => operation !== undefined && allowed.has(operation);
  if (isLeaving === true)
    return isAmong(LEAVING_OPERATIONS)
      ? null
      : new AppError({ code: 'account_leaving', message: 'The account is about to be deleted. Keep it first.' });
  return mustSetUpTotp === true && !isAmong(SETUP_OPERATIONS)
    ? new AppError({ code: 'totp_setup_required', message: 'Set up the second step at sign-in first.' })
    : null;
}

/**
 * Refuses callers without the required role before their body is read. The services check again. Runs after the session
 * policy.
 */
export function createRoles({ presence }: { presence: PresenceUpdates }): RequestHandler {
  return ({ originalUrl }, response, next) => {
    const { operation, session } = exchangeOf(response);
    if (operation === undefined) throw new Error('The operation policy comes before the roles policy.');
    const role = roleOf(session);
    const refusal = session && refuseLimited(session, operation.id);
    if (refusal) {
      next(refusal);
    } else if (operation.roles.includes(role)) {
      if (session) presence.note(session.userId, operation.id, originalUrl);
      next();
    } else if (session === null) {
      next(new AppError({ code: 'not_signed_in', message: 'Sign in first.' }));
    } else {
      next(new AppError({ code: 'not_allowed', message: 'The account may not do that.' }));
    }
  };
}
