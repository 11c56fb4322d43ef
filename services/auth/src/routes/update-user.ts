import { readImageDataUrl, signedInIdentityOf, validate } from '@najwa/common';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { AuthContext } from '../context.js';
import { updateProfile, type ProfileChanges } from '../domain/accounts.js';
import { email } from '../domain/emails.js';
import { bio, name } from './fields.js';
import { presentOwnUser } from './present.js';

const MAX_AVATAR_BYTES = 2 * 1024 * 1024;

/** Room for a picture that is too large, so that it is refused as what it is. */
export const UPDATE_USER_BODY_BYTES = 8 * 1024 * 1024;

const profile = z
  .strictObject({
    name: name.exactOptional(),
    bio: bio.exactOptional(),
    gender: z.enum(['male', 'female'], { error: 'not_a_choice' }).exactOptional(),
    avatar: z.string({ error: 'not_valid' }).nullable().exactOptional(),
  })
  .refine((changes) => Object.keys(changes).length > 0, 'not_a_change');

const emailAlone = z.strictObject({ email: email.nullable() });

/** The settings form sends the address of the present avatar along when it is to stay. */
function readAvatar(avatar: string | null): { avatar?: Buffer | null } {
  if (avatar?.startsWith('/image/')) return {};
  return { avatar: avatar === null || avatar === '' ? null : readImageDataUrl(avatar, 'avatar', MAX_AVATAR_BYTES) };
}

function readChanges(body: unknown): ProfileChanges {
  if (typeof body === 'object' && body !== null && 'email' in body) return validate(emailAlone, body);
  const { avatar, ...changes } = validate(profile, body);
  return avatar === undefined ? changes : { ...changes, ...readAvatar(avatar) };
}

/** PATCH /api/users */
export function updateUserRoute(context: AuthContext): RequestHandler {
  return async (request, response) => {
    const { user } = signedInIdentityOf(response);
    response.json(presentOwnUser(await updateProfile(context, user.id, readChanges(request.body))));
  };
}
