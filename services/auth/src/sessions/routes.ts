import { describeDevice } from '@najwa/common';
import { cookieAttributes, FORWARDED_HOST_HEADER, type Handlers } from '@najwa/common/http';
import type { Identity } from '@najwa/common/identity';
import { cookieNameOf, COOKIES, type Answer } from '@najwa/proto/http';
import type { Request, Response } from 'express';
import { findOwn } from '../account/accounts.js';
import type { UserRecord } from '../account/user-store.js';
import { ownView } from '../account/views.js';
import type { SessionRecord } from './session-store.js';
import {
  beginSession,
  endOtherSessions,
  endOwnSession,
  endSession,
  listSessions,
  type SessionsDeps,
} from './sessions.js';

/** Upper bound. The server decides when the session expires. */
const COOKIE_MAX_AGE_MS = COOKIES.session.days * 24 * 60 * 60 * 1000;

/** Ends the earlier session, whose token the cookie overwrites. */
export async function signIn(
  deps: SessionsDeps,
  user: UserRecord,
  { identity, request, response }: { identity: Identity; request: Request; response: Response },
): Promise<Answer<'login'>> {
  if (identity.user) await endSession(deps, identity.user);
  const token = await beginSession(deps, user, describeDevice(request.get('user-agent')));
  const attributes = cookieAttributes(request.get(FORWARDED_HOST_HEADER));
  response.cookie(cookieNameOf('session', attributes.secure), token, { ...attributes, maxAge: COOKIE_MAX_AGE_MS });
  return ownView(user);
}

function presentSession(
  { sessionId, device, createdAt, lastSeenAt }: SessionRecord,
  currentSessionId: string,
): Answer<'listSessions'>[number] {
  return {
    id: sessionId,
    device,
    createdAt: createdAt.toISOString(),
    lastSeen: lastSeenAt.toISOString(),
    isCurrent: sessionId === currentSessionId,
  };
}

export function sessionHandlers(deps: SessionsDeps) {
  return {
    async logout({ identity: { user }, request, response }) {
      if (user) await endSession(deps, user);
      const attributes = cookieAttributes(request.get(FORWARDED_HOST_HEADER));
      response.clearCookie(cookieNameOf('session', attributes.secure), attributes);
    },
    getAuthStatus: ({ identity }) => ({ authenticated: identity.user !== null }),
    async listSessions({ identity: { user } }) {
      const sessions = await listSessions(deps, await findOwn(deps, user.id));
      return sessions.map((session) => presentSession(session, user.sessionId));
    },
    endSession: ({ identity: { user }, params }) => endOwnSession(deps, user.id, params.id),
    endOtherSessions: ({ identity: { user } }) => endOtherSessions(deps, user.id, user.sessionId),
  } satisfies Partial<Handlers<'auth'>>;
}
