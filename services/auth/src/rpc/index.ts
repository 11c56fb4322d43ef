import { AppError, validate, type UnaryHandlers } from '@najwa/common';
import type { AuthServiceService, User } from '@najwa/proto/auth';
import { fields } from '@najwa/proto/http';
import { z } from 'zod';
import type { AuthContext } from '../context.js';
import type { UserRecord } from '../db/users.js';
import { register } from '../domain/accounts.js';
import { resolveSession } from '../domain/sessions.js';

const MAX_IDS = 100;

const newAdmin = z.object({
  username: fields.newUsername,
  password: fields.adminPassword,
  name: fields.name,
  email: fields.email,
  isVerified: z.boolean(),
  submission: z.object({ key: z.string().min(1, 'required'), content: z.string().min(1, 'required') }),
});

export function rpc(context: AuthContext): UnaryHandlers<AuthServiceService> {
  const { users } = context;
  return {
    async resolveSession({ tokenHash }) {
      const { session, user } = await resolveSession(context, tokenHash);
      return { userId: user.id, isAdmin: user.isAdmin, sessionId: session.sessionId };
    },
    async getUser({ key }) {
      if (key === undefined) throw new AppError({ code: 'invalid_input', message: 'Ask by id or by username.' });
      const user = key.$case === 'id' ? await users.findById(key.value) : await users.findByUsername(key.value);
      if (user === null) throw new AppError({ code: 'user_not_found', message: 'User not found' });
      return { user: presentUser(user) };
    },
    async getUsers({ ids }) {
      if (ids.length > MAX_IDS)
        throw new AppError({ code: 'invalid_input', message: `At most ${MAX_IDS} ids at once.` });
      return { users: (await users.findByIds(ids)).map(presentUser) };
    },
    async createAdmin(request) {
      const { submission, ...account } = validate(newAdmin, request);
      return { user: presentUser(await register(context, { ...account, isAdmin: true }, submission)) };
    },
  };
}

const presentUser = ({ id, username, name, isAdmin, isVerified }: UserRecord): User => ({
  id,
  username,
  name,
  isAdmin,
  isVerified,
});
