import type { UnaryHandlers } from '@najwa/common';
import type { AuthServiceService } from '@najwa/proto/auth';
import type { AuthContext } from '../context.js';
import { createAdminMethod } from './create-admin.js';
import { getUserMethod } from './get-user.js';
import { getUsersMethod } from './get-users.js';
import { resolveSessionMethod } from './resolve-session.js';

export function rpc(context: AuthContext): UnaryHandlers<AuthServiceService> {
  return {
    resolveSession: resolveSessionMethod(context),
    getUser: getUserMethod(context),
    getUsers: getUsersMethod(context),
    createAdmin: createAdminMethod(context),
  };
}
