import { signedInIdentityOf, validate } from '@najwa/common';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { AuthContext } from '../context.js';
import { changePassword } from '../domain/accounts.js';
import { newPassword } from './fields.js';

const body = z.strictObject({
  currentPassword: z.string({ error: 'required' }).min(1, 'required').max(128, 'too_long'),
  newPassword,
});

/** PUT /api/users/password */
export function changePasswordRoute(context: AuthContext): RequestHandler {
  return async (request, response) => {
    const { user } = signedInIdentityOf(response);
    const passwords = validate(body, request.body);
    await changePassword(context, user, passwords.currentPassword, passwords.newPassword);
    response.status(204).end();
  };
}
