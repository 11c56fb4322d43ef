import { AppError, type UnaryHandlers } from '@najwa/common';
import type { AuthServiceService } from '@najwa/proto/auth';
import type { AuthContext } from '../context.js';
import { presentUser } from './present.js';

const MAX_IDS = 100;

export function getUsersMethod({ users }: AuthContext): UnaryHandlers<AuthServiceService>['getUsers'] {
  return async ({ ids }) => {
    if (ids.length > MAX_IDS) throw new AppError({ code: 'invalid_input', message: `At most ${MAX_IDS} ids at once.` });
    return { users: (await users.findByIds(ids)).map(presentUser) };
  };
}
