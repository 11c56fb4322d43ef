import { describeDevice, identityOf, validate } from '@najwa/common';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { AuthContext } from '../context.js';
import { authenticate } from '../domain/accounts.js';
import { beginSession, endSession } from '../domain/sessions.js';
import { presentOwnUser } from './present.js';
import { setSessionCookie } from './session-cookie.js';

const credential = z.string({ error: 'required' }).min(1, 'required').max(128, 'too_long');

const body = z.strictObject({ username: credential.transform((name) => name.trim()), password: credential });

/** POST /api/login */
export function loginRoute(context: AuthContext): RequestHandler {
  return async (request, response) => {
    const identity = identityOf(response);
    const { username, password } = validate(body, request.body);
    const user = await authenticate(context, username, password, identity);
    // The browser's earlier session would otherwise live on with nobody holding its token.
    if (identity.user) await endSession(context, identity.user.sessionId);
    setSessionCookie(
      request,
      response,
      await beginSession(context, user.id, describeDevice(request.get('user-agent'))),
    );
    response.json(presentOwnUser(user));
  };
}
