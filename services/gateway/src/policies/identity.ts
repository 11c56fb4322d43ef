import { hash } from 'node:crypto';
import { AppError } from '@najwa/common/errors';
import { cookieAttributes } from '@najwa/common/http';
import type { Identity, IdentitySigner } from '@najwa/common/identity';
import { withRequestId, type Logger } from '@najwa/common/logging';
import { cookieNameOf, COOKIES, LEAVING_OPERATIONS, roleOf, SETUP_OPERATIONS } from '@najwa/proto/http/client';
import type { Request, RequestHandler, Response } from 'express';
import type { Session } from '../clients/auth.js';
import { TaggedCache } from '../domain/tagged-cache.js';
import { readOldSessionToken, readSessionToken, readVisitorCookie } from '../domain/headers.js';
import type { Operation } from '../domain/operations.js';
import type { PresenceUpdates } from '../domain/presence.js';
import { isLargeBody } from '../domain/request-body.js';
import type { Sessions } from '../domain/sessions.js';
import { newToken } from '../domain/tokens.js';
import { exchangeOf, logIdsOf, type Exchange } from '../exchange.js';
import { redirect } from './answers.js';

export interface SessionPolicyDeps {
  sessions: Pick<Sessions, 'find'>;
  logger: Logger;
}

const secondsOf = (cookie: 'session' | 'visitor'): number => COOKIES[cookie].days * 24 * 60 * 60;
const ATTRIBUTES = 'Path=/; HttpOnly; SameSite=Lax';

/**
 * A visitor without a valid session. Fails while auth is unreachable: treating an account as a visitor could send a
 * message under the wrong name.
 * @throws {AppError} `unavailable`
 */
async function findSession(
  { sessions, logger }: SessionPolicyDeps,
  request: Request,
  response: Response,
): Promise<Session | null> {
  const exchange = exchangeOf(response);
  const { cookie } = request.headers;
  const { secure } = cookieAttributes(exchange.origin.host);
  const token = readSessionToken(cookie, secure);
  if (token === undefined) return null;
  try {
    const session = await withRequestId(exchange.requestId, () => sessions.find(token), exchange.span);
    if (session !== null && readOldSessionToken(cookie, secure) !== undefined)
      for (const replacement of [
        `${cookieNameOf('session', true)}=${token}; Max-Age=${secondsOf('session')}; ${ATTRIBUTES}; Secure`,
        `${cookieNameOf('session', false)}=; Max-Age=0; ${ATTRIBUTES}; Secure`,
      ])
        response.appendHeader('Set-Cookie', replacement);
    return session;
  } catch (error) {
    logger.warn({ err: error, ...logIdsOf(exchange) }, 'session not resolved');
    throw new AppError({
      code: 'unavailable',
      message: 'The service is temporarily unavailable. Try again shortly.',
      retryAfter: 2,
      cause: error,
    });
  }
}

export function createSessionPolicy(deps: SessionPolicyDeps): RequestHandler {
  return (request, response, next) => {
    const exchange = exchangeOf(response);
    findSession(deps, request, response).then((session) => {
      exchange.session = session;
      next();
    }, next);
  };
}

/**
 * Sessions limited to a few operations.
 * @param operation undefined for the event stream
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

function requireRole({ id, roles }: Operation, session: Session | null): void {
  const refusal = session && refuseLimited(session, id);
  if (refusal) throw refusal;
  if (roles.includes(roleOf(session))) return;
  throw session === null
    ? new AppError({ code: 'not_signed_in', message: 'Sign in first.' })
    : new AppError({ code: 'not_allowed', message: 'The account may not do that.' });
}

/** Sec-Fetch-Dest of scripts, not of parts of a page. */
const COOKIE_DESTINATIONS = new Set<unknown>([undefined, 'empty']);

export function newVisitorCookie(isSecure: boolean): { value: string; header: string } {
  const value = newToken();
  const secure = isSecure ? '; Secure' : '';
  const header = `${cookieNameOf('visitor', isSecure)}=${value}; Max-Age=${secondsOf('visitor')}; ${ATTRIBUTES}${secure}`;
  return { value, header };
}

/** Part of stored hashes: never rename the kinds. */
const visitorIdOf = (kind: 'cookie' | 'address', ...parts: string[]): string =>
  hash('sha256', JSON.stringify([kind, ...parts]), 'base64url').slice(0, 22);

/** By a random cookie. Until it is set, by network and browser, so that a retry has the same sender. */
function nameVisitor({ method, headers }: Request, response: Response, isPage: boolean): void {
  const exchange = exchangeOf(response);
  const { origin } = exchange;
  const { secure } = cookieAttributes(origin.host);
  let value = readVisitorCookie(headers.cookie, secure);
  // Pages are the same for everyone.
  if (value === undefined && !isPage && method === 'GET' && COOKIE_DESTINATIONS.has(headers['sec-fetch-dest'])) {
    const created = newVisitorCookie(secure);
    response.appendHeader('Set-Cookie', created.header);
    value = created.value;
  }
  if (value === undefined) {
    exchange.visitorId = visitorIdOf('address', origin.network, headers['user-agent'] ?? '');
    exchange.visitorByAddress = true;
  } else {
    exchange.visitorId = visitorIdOf('cookie', value);
  }
}

export function createVisitorPolicy(): RequestHandler {
  return (request, response, next) => {
    nameVisitor(request, response, true);
    next();
  };
}

const AGAIN = /[?&]again$/;

/**
 * Has a browser without the cookie send its form once more, with it: then two presses have one sender.
 * @returns false if the form is to be read
 */
export function askAgain(request: Request, response: Response): boolean {
  const { originalUrl, headers } = request;
  const { secure } = cookieAttributes(exchangeOf(response).origin.host);
  if (readVisitorCookie(headers.cookie, secure) !== undefined || AGAIN.test(originalUrl) || isLargeBody(request))
    return false;
  response.appendHeader('Set-Cookie', newVisitorCookie(secure).header);
  redirect(response, `${originalUrl}${originalUrl.includes('?') ? '&' : '?'}again`, 307);
  return true;
}

/** Half of a token's lifetime. */
const REUSE_MS = 30_000;
const LIFETIME = { freshMs: REUSE_MS };
const MAX_TOKENS = 10_000;

export function createTokenSource(signer: IdentitySigner): IdentitySigner['sign'] {
  const tokens = new TaggedCache<string>({ maxSize: MAX_TOKENS, lifetimeOf: () => LIFETIME });
  // The cache uses a monotonic clock. After the clock was set, earlier tokens may be expired or not yet valid.
  const clock = (): number => Math.round((Date.now() - performance.now()) / REUSE_MS);
  return async (identity, service) => {
    const key = `${clock()} ${service} ${JSON.stringify(identity)}`;
    return (await tokens.load(key, { fetch: () => signer.sign(identity, service) })).value;
  };
}

export function identityOf(exchange: Exchange, session: Session | null): Identity {
  const { visitorId, visitorByAddress, origin } = exchange;
  if (visitorId === undefined) throw new Error('An identity needs the name of its visitor.');
  const user = session && {
    id: session.userId,
    isAdmin: session.isAdmin,
    ...(session.isModerator === true && { isModerator: true as const }),
    sessionId: session.sessionId,
  };
  const { address: ip, kept } = origin;
  return { user, visitorId, ip, ...(kept !== undefined && { kept }), ...(visitorByAddress && { visitorByAddress }) };
}

export interface IdentityPolicyDeps extends SessionPolicyDeps {
  presence: PresenceUpdates;
  sign: IdentitySigner['sign'];
}

/**
 * Identifies the caller, refuses wrong roles before the body is read, and signs the identity for the service, which
 * checks again.
 */
export function createIdentityPolicy(deps: IdentityPolicyDeps): RequestHandler {
  const { presence, sign } = deps;
  const identify = async (request: Request, response: Response): Promise<void> => {
    const exchange = exchangeOf(response);
    const { upstream, operation } = exchange;
    if (upstream === undefined || upstream === 'web') throw new Error('No identity goes to this endpoint.');
    if (operation === undefined) throw new Error('The admission comes before the identity policy.');
    const session = (exchange.session = await findSession(deps, request, response));
    requireRole(operation, session);
    if (session !== null) presence.note(session.userId, operation.id, request.originalUrl);
    nameVisitor(request, response, false);
    exchange.identityToken = await sign(identityOf(exchange, session), upstream);
  };
  return (request, response, next) => {
    identify(request, response).then(() => next(), next);
  };
}
