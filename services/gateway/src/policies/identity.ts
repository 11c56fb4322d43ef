import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import {
  AppError,
  cookieAttributes,
  SESSION_COOKIE,
  withRequestId,
  type Identity,
  type IdentitySigner,
  type Logger,
} from '@najwa/common';
import { COOKIES } from '@najwa/proto/http/client';
import type { RequestHandler } from 'express';
import { createTaggedCache } from '../domain/tagged-cache.js';
import { readSessionToken, readVisitorCookie, VISITOR_COOKIE } from '../domain/headers.js';
import type { Session, Sessions } from '../domain/sessions.js';
import { newToken } from '../domain/tokens.js';
import { exchangeOf, logIdsOf, type Exchange } from '../exchange.js';

export interface SessionPolicyDeps {
  sessions: Pick<Sessions, 'find'>;
  logger: Logger;
}

/**
 * Resolves the session cookie. Without one, or with one that has ended, the caller is a visitor. While auth cannot be
 * reached the request is refused: treating a signed-in person as a visitor could send a message under the wrong name.
 */
export function createSessionPolicy({ sessions, logger }: SessionPolicyDeps): RequestHandler {
  return (request, response, next) => {
    const token = readSessionToken(request.headers.cookie, SESSION_COOKIE);
    if (token === undefined) {
      next();
      return;
    }
    const exchange = exchangeOf(response);
    withRequestId(exchange.requestId, () => sessions.find(token), exchange.span).then(
      (session) => {
        exchange.session = session;
        next();
      },
      (error: unknown) => {
        logger.warn({ err: error, ...logIdsOf(exchange) }, 'session not resolved');
        next(
          new AppError({
            code: 'unavailable',
            message: 'The service is temporarily unavailable. Try again shortly.',
            retryAfter: 2,
            cause: error,
          }),
        );
      },
    );
  };
}

const VISITOR_COOKIE_SECONDS = COOKIES.visitor.days * 24 * 60 * 60;

/** Sec-Fetch-Dest of requests that a person or a script makes, in contrast to the parts of a page. */
const COOKIE_DESTINATIONS = new Set<unknown>([undefined, 'document', 'empty']);

export interface NewCookie {
  value: string;
  /** Value of Set-Cookie. */
  header: string;
}

/** The visitor cookie that the answer sets, for a visitor who opens a page or makes a read without one. */
export function visitorCookieFor({ method, headers }: IncomingMessage, isSecure: boolean): NewCookie | undefined {
  if (method !== 'GET' || !COOKIE_DESTINATIONS.has(headers['sec-fetch-dest'])) return undefined;
  return readVisitorCookie(headers.cookie) === undefined ? newVisitorCookie(isSecure) : undefined;
}

export function newVisitorCookie(isSecure: boolean): NewCookie {
  const value = newToken();
  const header = `${VISITOR_COOKIE}=${value}; Max-Age=${VISITOR_COOKIE_SECONDS}; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  return { value, header };
}

/** The kinds are part of hashes that are already stored, so they must not be renamed. */
const visitorIdOf = (kind: 'cookie' | 'address', ...parts: string[]): string =>
  hash('sha256', JSON.stringify([kind, ...parts]), 'base64url').slice(0, 22);

/**
 * Distinguishes visitors by a random cookie, set by the first GET. Until then network and browser identify them, so
 * that a repeated submission comes from the same sender.
 */
export function createVisitorPolicy(): RequestHandler {
  return (request, response, next) => {
    const exchange = exchangeOf(response);
    const { origin } = exchange;
    const known = readVisitorCookie(request.headers.cookie);
    const created = visitorCookieFor(request, cookieAttributes(origin.host).secure);
    if (created !== undefined) {
      response.appendHeader('Set-Cookie', created.header);
      exchange.visitorCookie = created.value;
    }
    const value = known ?? created?.value;
    if (value === undefined) {
      exchange.visitorId = visitorIdOf('address', origin.network, request.headers['user-agent'] ?? '');
      exchange.visitorByAddress = true;
    } else {
      exchange.visitorId = visitorIdOf('cookie', value);
    }
    next();
  };
}

/** Half of a token's lifetime, so that it is still valid when the service reads it. */
const REUSE_MS = 30_000;
const LIFETIME = { freshMs: REUSE_MS };
const MAX_TOKENS = 10_000;

/** Signs identity tokens, and reuses them for the same identity at the same service. */
export function createTokenSource(signer: IdentitySigner): IdentitySigner['sign'] {
  const tokens = createTaggedCache<string>({ maxSize: MAX_TOKENS, lifetimeOf: () => LIFETIME });
  // The cache ages by time that passed. Tokens from before the clock was set may have expired, or come too early.
  const clock = (): number => Math.round((Date.now() - performance.now()) / REUSE_MS);
  return async (identity, service) => {
    const key = `${clock()} ${service} ${JSON.stringify(identity)}`;
    return (await tokens.load(key, { fetch: () => signer.sign(identity, service) })).value;
  };
}

/** The caller, with a session of theirs. */
export function identityOf(exchange: Exchange, session: Session | null): Identity {
  const { visitorId, visitorByAddress, origin } = exchange;
  if (visitorId === undefined) throw new Error('The visitor policy comes before the identity policy.');
  const user = session && {
    id: session.userId,
    isAdmin: session.isAdmin,
    ...(session.isModerator === true && { isModerator: true as const }),
    sessionId: session.sessionId,
  };
  return { user, visitorId, ip: origin.address, ...(visitorByAddress && { visitorByAddress }) };
}

/** Signs the caller's identity for the service that the request goes to. Runs after the session and visitor policies. */
export function createIdentityPolicy({ sign }: IdentitySigner): RequestHandler {
  return (_request, response, next) => {
    const exchange = exchangeOf(response);
    const { upstream, session } = exchange;
    if (upstream === undefined || upstream === 'web') throw new Error('No identity goes to this endpoint.');
    sign(identityOf(exchange, session), upstream).then((token) => {
      exchange.identityToken = token;
      next();
    }, next);
  };
}
