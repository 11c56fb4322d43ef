import { validate, type UnaryHandlers } from '@najwa/common';
import type { AuthServiceService } from '@najwa/proto/auth';
import { z } from 'zod';
import type { AuthContext } from '../context.js';
import { register } from '../domain/accounts.js';
import { email } from '../domain/emails.js';
import { username } from '../domain/usernames.js';
import { name } from '../routes/fields.js';
import { presentUser } from './present.js';

const request = z.object({
  username,
  password: z.string().min(6, 'too_short').max(128, 'too_long'),
  name,
  email,
  isVerified: z.boolean(),
  submission: z.object({ key: z.string().min(1, 'required'), content: z.string().min(1, 'required') }),
});

export function createAdminMethod(context: AuthContext): UnaryHandlers<AuthServiceService>['createAdmin'] {
  return async (raw) => {
    const { submission, ...account } = validate(request, raw);
    return { user: presentUser(await register(context, { ...account, bio: '', isAdmin: true }, submission)) };
  };
}
