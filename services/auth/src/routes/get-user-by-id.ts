import { AppError, idInPath, signedInIdentityOf, validate } from '@najwa/common';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { AuthContext } from '../context.js';
import { presentPublicUser } from './present.js';

const params = z.object({ id: idInPath });

/** GET /api/users/by-id/{id} */
export function getUserByIdRoute({ users }: AuthContext): RequestHandler {
  return async (request, response) => {
    if (!signedInIdentityOf(response).user.isAdmin)
      throw new AppError({ code: 'not_allowed', message: 'This is for administrators only.' });
    const user = await users.findById(validate(params, request.params).id);
    if (user === null) throw new AppError({ code: 'user_not_found', message: 'User not found' });
    response.json(presentPublicUser(user));
  };
}
