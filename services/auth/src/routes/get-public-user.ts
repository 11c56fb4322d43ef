import { AppError } from '@najwa/common';
import type { RequestHandler } from 'express';
import type { AuthContext } from '../context.js';
import { username } from '../domain/usernames.js';
import { presentPublicUser } from './present.js';

/** GET /api/users/{username} */
export function getPublicUserRoute({ users }: AuthContext): RequestHandler<{ username: string }> {
  return async (request, response) => {
    const asked = username.safeParse(request.params.username);
    const user = asked.success ? await users.findByUsername(asked.data) : null;
    if (user === null) throw new AppError({ code: 'user_not_found', message: 'User not found' });
    response.json(presentPublicUser(user));
  };
}
