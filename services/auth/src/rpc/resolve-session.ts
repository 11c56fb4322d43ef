import { AppError, type UnaryHandlers } from '@najwa/common';
import type { AuthServiceService } from '@najwa/proto/auth';
import type { AuthContext } from '../context.js';
import { resolveSession } from '../domain/sessions.js';

export function resolveSessionMethod(context: AuthContext): UnaryHandlers<AuthServiceService>['resolveSession'] {
  return async ({ tokenHash }) => {
    const session = await resolveSession(context, tokenHash);
    const user = await context.users.findById(session.userId);
    if (user === null) throw new AppError({ code: 'session_not_found', message: 'This session has ended.' });
    return { userId: user.id, isAdmin: user.isAdmin, sessionId: session.sessionId };
  };
}
