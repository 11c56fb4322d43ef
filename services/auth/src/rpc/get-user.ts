import { AppError, type UnaryHandlers } from '@najwa/common';
import type { AuthServiceService } from '@najwa/proto/auth';
import type { AuthContext } from '../context.js';
import { presentUser } from './present.js';

export function getUserMethod({ users }: AuthContext): UnaryHandlers<AuthServiceService>['getUser'] {
  return async ({ key }) => {
    if (key === undefined) throw new AppError({ code: 'invalid_input', message: 'Ask by id or by username.' });
    const user = key.$case === 'id' ? await users.findById(key.value) : await users.findByUsername(key.value);
    if (user === null) throw new AppError({ code: 'user_not_found', message: 'User not found' });
    return { user: presentUser(user) };
  };
}
