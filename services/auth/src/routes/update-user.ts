import { signedInIdentityOf, validate } from '@najwa/common';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { AuthContext } from '../context.js';
import { updateProfile } from '../domain/accounts.js';
import { bio, name } from './fields.js';
import { presentOwnUser } from './present.js';

const MAX_EMAIL_LENGTH = 254;

/** Kept in small letters: no mail service that people use tells capitals apart, and a lookalike must not be a second address. */
const email = z
  .string({ error: 'required' })
  .trim()
  .min(1, 'required')
  .max(MAX_EMAIL_LENGTH, 'too_long')
  .transform((text) => text.normalize('NFC').toLowerCase())
  .pipe(z.email('not_an_email'));

const profile = z
  .strictObject({ name: name.exactOptional(), bio: bio.exactOptional(), gender: z.enum(['male', 'female'], { error: 'not_a_choice' }).exactOptional() })
  .refine((changes) => Object.keys(changes).length > 0, 'not_a_change');

const body = z.union([z.strictObject({ email: email.nullable() }), profile]);

/** PATCH /api/users */
export function updateUserRoute(context: AuthContext): RequestHandler {
  return async (request, response) => {
    const { user } = signedInIdentityOf(response);
    response.json(presentOwnUser(await updateProfile(context, user.id, validate(body, request.body))));
  };
}
