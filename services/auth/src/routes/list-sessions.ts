import { AppError, signedInIdentityOf } from '@najwa/common';
import type { RequestHandler } from 'express';
import type { AuthContext } from '../context.js';
import { listSessions } from '../domain/sessions.js';
import { presentSession } from './present.js';

/** GET /api/sessions */
export function listSessionsRoute(context: AuthContext): RequestHandler {
  return async (_request, response) => {
    const identity = signedInIdentityOf(response);
    const user = await context.users.findById(identity.user.id);
    if (user === null) throw new AppError({ code: 'not_signed_in', message: 'Sign in first.' });
    response.json(
      (await listSessions(context, user)).map((session) => presentSession(session, identity.user.sessionId)),
    );
  };
}
