import { signedInIdentityOf } from '@najwa/common';
import type { RequestHandler } from 'express';
import type { AuthContext } from '../context.js';
import { endOtherSessions } from '../domain/sessions.js';

/** DELETE /api/sessions */
export function endOtherSessionsRoute(context: AuthContext): RequestHandler {
  return async (_request, response) => {
    const { user } = signedInIdentityOf(response);
    await endOtherSessions(context, user.id, user.sessionId);
    response.status(204).end();
  };
}
