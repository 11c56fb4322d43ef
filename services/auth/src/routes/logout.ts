import { identityOf } from '@najwa/common';
import type { RequestHandler } from 'express';
import type { AuthContext } from '../context.js';
import { endSession } from '../domain/sessions.js';
import { clearSessionCookie } from './session-cookie.js';

/** POST /api/logout */
export function logoutRoute(context: AuthContext): RequestHandler {
  return async (request, response) => {
    const { user } = identityOf(response);
    if (user) await endSession(context, user.sessionId);
    clearSessionCookie(request, response);
    response.status(204).end();
  };
}
