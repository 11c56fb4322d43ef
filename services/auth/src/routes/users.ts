import { AppError, idInPath, jsonBody, readImageDataUrl, signedInIdentityOf, validate } from '@najwa/common';
import { Router } from 'express';
import { z } from 'zod';
import type { AuthContext } from '../context.js';
import type { UserRecord } from '../db/users.js';
import { updateProfile, type ProfileChanges } from '../domain/accounts.js';
import { email } from '../domain/emails.js';
import { username } from '../domain/usernames.js';
import { bio, name } from './fields.js';
import { presentOwnUser, presentPublicUser } from './present.js';

const MAX_AVATAR_BYTES = 2 * 1024 * 1024;

/** Leaves room for a picture that is too large, so that the answer names the field. */
const UPDATE_USER_BODY_BYTES = 8 * 1024 * 1024;

const profile = z
  .strictObject({
    name: name.exactOptional(),
    bio: bio.exactOptional(),
    gender: z.enum(['male', 'female'], { error: 'not_a_choice' }).exactOptional(),
    avatar: z.string({ error: 'not_valid' }).nullable().exactOptional(),
  })
  .refine((changes) => Object.keys(changes).length > 0, 'not_a_change');

const emailAlone = z.strictObject({ email: email.nullable() });

const idParams = z.object({ id: idInPath });

/** The settings form sends the URL of the present avatar if it is to stay. */
function readAvatar(avatar: string | null): { avatar?: Buffer | null } {
  if (avatar?.startsWith('/image/')) return {};
  return { avatar: avatar === null || avatar === '' ? null : readImageDataUrl(avatar, 'avatar', MAX_AVATAR_BYTES) };
}

function readChanges(body: unknown): ProfileChanges {
  if (typeof body === 'object' && body !== null && 'email' in body) return validate(emailAlone, body);
  const { avatar, ...changes } = validate(profile, body);
  return avatar === undefined ? changes : { ...changes, ...readAvatar(avatar) };
}

function found(user: UserRecord | null): UserRecord {
  if (user === null) throw new AppError({ code: 'user_not_found', message: 'User not found' });
  return user;
}

export function userRoutes(context: AuthContext): Router {
  const { users, limits } = context;
  return (
    Router()
      .get('/api/user', async (_request, response) => {
        const user = await users.findById(signedInIdentityOf(response).user.id);
        if (user === null) throw new AppError({ code: 'not_signed_in', message: 'Sign in first.' });
        response.json(presentOwnUser(user));
      })
      .patch('/api/users', async (_request, response, next) => {
        await limits.profileUpdate.consume(String(signedInIdentityOf(response).user.id));
        next();
      })
      .patch('/api/users', jsonBody(UPDATE_USER_BODY_BYTES))
      .patch('/api/users', async (request, response) => {
        const { user } = signedInIdentityOf(response);
        response.json(presentOwnUser(await updateProfile(context, user.id, readChanges(request.body))));
      })
      .get('/api/users/:username', async (request, response) => {
        const asked = username.safeParse(request.params.username);
        response.json(presentPublicUser(found(asked.success ? await users.findByUsername(asked.data) : null)));
      })
      // For the tracking list, which names recipients by id. Others could list the accounts by counting up.
      .get('/api/users/by-id/:id', async (request, response) => {
        if (!signedInIdentityOf(response).user.isAdmin)
          throw new AppError({ code: 'not_allowed', message: 'For administrators only.' });
        response.json(presentPublicUser(found(await users.findById(validate(idParams, request.params).id))));
      })
  );
}
