import { AppError, SESSION_COOKIE, withRequestId, type Logger } from '@najwa/common';
import type { RequestHandler } from 'express';
import { readCookie } from '../domain/cookies.js';
import type { Sessions } from '../domain/sessions.js';
import type { Sightings } from '../domain/sightings.js';
import { exchangeOf } from '../exchange.js';

export interface SessionPolicyDeps {
  sessions: Pick<Sessions, 'find'>;
  sightings: Sightings;
  logger: Logger;
}

/** What a token of ours looks like; nothing else is worth a question to auth. */
const TOKEN = /^[A-Za-z0-9_-]{20,128}$/;

/**
 * Finds out whose session the cookie is. Who has none, or one that has ended, is a visitor. While auth cannot say, the
 * request is refused: taking a signed-in person for a visitor could send a message in the wrong name.
 */
export function createSessionPolicy({ sessions, sightings, logger }: SessionPolicyDeps): RequestHandler {
  return (request, response, next) => {
    const token = readCookie(request.headers.cookie, SESSION_COOKIE);
    if (token === undefined || !TOKEN.test(token)) {
      next();
      return;
    }
    const exchange = exchangeOf(response);
    withRequestId(exchange.requestId, () => sessions.find(token)).then(
      (session) => {
        exchange.session = session;
        if (session) sightings.note(session.userId);
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
