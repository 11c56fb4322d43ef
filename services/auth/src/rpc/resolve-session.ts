import type { UnaryHandlers } from '@najwa/common';
import type { AuthServiceService } from '@najwa/proto/auth';
import type { AuthContext } from '../context.js';
import { resolveSession } from '../domain/sessions.js';

export function resolveSessionMethod(context: AuthContext): UnaryHandlers<AuthServiceService>['resolveSession'] {
  return async ({ tokenHash }) => {
    const { session, user } = await resolveSession(context, tokenHash);
    return { userId: user.id, isAdmin: user.isAdmin, sessionId: session.sessionId };
  };
}
