import { AppError, signedInIdentityOf } from '@najwa/common';
import type { RequestHandler } from 'express';
import type { AuthContext } from '../context.js';
import { presentOwnUser } from './present.js';

/** GET /api/user */
export function getCurrentUserRoute({ users }: AuthContext): RequestHandler {
  return async (_request, response) => {
    const user = await users.findById(signedInIdentityOf(response).user.id);
    if (user === null) throw new AppError({ code: 'not_signed_in', message: 'Sign in first.' });
    response.json(presentOwnUser(user));
  };
}
