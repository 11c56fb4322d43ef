import { hash, randomBytes } from 'node:crypto';
import {
  AppError,
  cookieAttributes,
  SESSION_COOKIE,
  withRequestId,
  type Identity,
  type IdentitySigner,
  type Logger,
} from '@najwa/common';
import type { CookieOptions, Request, RequestHandler } from 'express';
import { createFreshCache } from '../domain/fresh-cache.js';
import { readSessionToken, readVisitorCookie, VISITOR_COOKIE } from '../domain/headers.js';
import type { Sessions } from '../domain/sessions.js';
import { exchangeOf } from '../exchange.js';

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
    withRequestId(exchange.requestId, () => sessions.find(token)).then(
      (session) => {
        exchange.session = session;
        next();
      },
      (error: unknown) => {
        logger.warn({ err: error, requestId: exchange.requestId }, 'session not resolved');
        next(
          new AppError({
            code: 'unavailable',
            message: 'The service cannot answer just now. Try again shortly.',
            retryAfter: 2,
            cause: error,
          }),
        );
      },
    );
  };
}

const YEAR_MS = 365 * 24 * 60 * 60 * 1000;

/** Sec-Fetch-Dest of requests that a person or a script makes, in contrast to the parts of a page. */
const COOKIE_DESTINATIONS = new Set([undefined, 'document', 'empty']);

const setsCookie = ({ method, headers }: Request): boolean =>
  method === 'GET' && COOKIE_DESTINATIONS.has(headers['sec-fetch-dest']);

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
    if (known !== undefined) {
      exchange.visitorId = visitorIdOf('cookie', known);
    } else if (setsCookie(request)) {
      const value = randomBytes(16).toString('base64url');
      const options: CookieOptions = { ...cookieAttributes(origin.host), maxAge: YEAR_MS };
      response.cookie(VISITOR_COOKIE, value, options);
      exchange.visitorId = visitorIdOf('cookie', value);
    } else {
      exchange.visitorId = visitorIdOf('address', origin.network, request.headers['user-agent'] ?? '');
    }
    next();
  };
}

/** Half of a token's lifetime, so that it is still valid when the service reads it. */
const REUSE_MS = 30_000;
const MAX_TOKENS = 10_000;

/** Signs identity tokens, and reuses them for the same identity. */
export function createTokenSource(signer: IdentitySigner): (identity: Identity) => Promise<string> {
  const tokens = createFreshCache<string>({ maxSize: MAX_TOKENS, lifetimeMs: () => REUSE_MS, tagsOf: () => [] });
  return (identity) => tokens.load(JSON.stringify(identity), () => signer.sign(identity));
}

/** Signs the caller's identity. Runs after the session and visitor policies. */
export function createIdentityPolicy({ sign }: { sign: (identity: Identity) => Promise<string> }): RequestHandler {
  return (_request, response, next) => {
    const exchange = exchangeOf(response);
    const { session, visitorId, origin } = exchange;
    if (visitorId === undefined) throw new Error('The visitor policy comes before the identity policy.');
    const user = session && { id: session.userId, isAdmin: session.isAdmin, sessionId: session.sessionId };
    sign({ user, visitorId, ip: origin.address }).then((token) => {
      exchange.identityToken = token;
      next();
    }, next);
  };
}
