import { describeDevice } from '@najwa/common';
import { AppError } from '@najwa/common/errors';
import { cookieAttributes, createRoutes, FORWARDED_HOST_HEADER } from '@najwa/common/http';
import type { Identity } from '@najwa/common/identity';
import { readSubmission } from '@najwa/common/limits';
import { PROOF_HEADER } from '@najwa/product';
import { cookieNameOf, COOKIES, UploadedImage, type ParsedBody } from '@najwa/proto/http';
import type { Request, Response, Router } from 'express';
import type { AuthContext } from '../context.js';
import type { UserRecord } from '../db/users.js';
import { register, updateProfile, type ProfileChanges } from '../domain/accounts.js';
import { admitCaller, admitRegistration, authenticate, changePassword, isAuthentic } from '../domain/login.js';
import { beginSession, endOtherSessions, endOwnSession, endSession, listSessions } from '../domain/sessions.js';
import { callerSender } from '../domain/passwords.js';
import { createPrompt, deletePrompt } from '../domain/prompts.js';
import { ownView, publicView, staffView } from '../domain/views.js';
import { accessHandlers } from './access.js';
import { presentPrompt, presentSession } from './present.js';

/** Upper bound. The server decides when the session expires. */
const COOKIE_MAX_AGE_MS = COOKIES.session.days * 24 * 60 * 60 * 1000;

export function routes(context: AuthContext): Router {
  const { users, limits } = context;
  const countedLogins = new WeakSet<Request>();

  async function signIn(request: Request, response: Response, user: UserRecord): Promise<void> {
    const token = await beginSession(context, user, describeDevice(request.get('user-agent')));
    const attributes = cookieAttributes(request.get(FORWARDED_HOST_HEADER));
    response.cookie(cookieNameOf('session', attributes.secure), token, { ...attributes, maxAge: COOKIE_MAX_AGE_MS });
  }

  async function signInAgain(identity: Identity, request: Request, response: Response, user: UserRecord) {
    // Ends the earlier session, whose token the cookie overwrites.
    if (identity.user) await endSession(context, identity.user);
    await signIn(request, response, user);
    return ownView(user);
  }

  async function findOwn(id: number): Promise<UserRecord> {
    const user = await users.findById(id);
    if (user === null) throw new AppError({ code: 'not_signed_in', message: 'Sign in first.' });
    return user;
  }

  return createRoutes('auth', {
    ...accessHandlers(context, signInAgain),
    register: {
      limit: ({ identity: { ip }, request }) => admitRegistration(context, ip, request.get(PROOF_HEADER)),
      async handle({ identity, body, request, response }) {
        const { username, name, bio, password } = body;
        const submission = readSubmission(request.get('idempotency-key'), identity, [username, name, bio]);
        // It may sign in to an existing account, so all protections apply.
        const attempt = { username, password, identity, isNetworkCounted: false, proof: request.get(PROOF_HEADER) };
        const user = await register(
          context,
          { username, name, bio, password },
          submission,
          () => isAuthentic(context, attempt),
          callerSender(identity.ip),
        );
        return signInAgain(identity, request, response, user);
      },
    },
    login: {
      async limit({ identity, request }) {
        if (await admitCaller(context, identity, request.get(PROOF_HEADER))) countedLogins.add(request);
      },
      async handle({ identity, body, request, response }) {
        const isNetworkCounted = countedLogins.has(request);
        const proof = request.get(PROOF_HEADER);
        const user = await authenticate(context, { ...body, identity, isNetworkCounted, proof });
        return signInAgain(identity, request, response, user);
      },
    },
    async logout({ identity: { user }, request, response }) {
      if (user) await endSession(context, user);
      const attributes = cookieAttributes(request.get(FORWARDED_HOST_HEADER));
      response.clearCookie(cookieNameOf('session', attributes.secure), attributes);
    },
    getAuthStatus: ({ identity }) => ({ authenticated: identity.user !== null }),
    changePassword: {
      limit: ({ identity: { user } }) => limits.passwordCheck.consume(String(user.id)),
      handle: ({ identity: { user }, body }) => changePassword(context, user, body.currentPassword, body.newPassword),
    },

    async getCurrentUser({ identity: { user } }) {
      const { restoredTo } = context;
      const view = ownView(await findOwn(user.id));
      return restoredTo === null ? view : { ...view, restoredTo: restoredTo.toISOString() };
    },
    updateCurrentUser: {
      limit: ({ identity: { user } }) => limits.profileUpdate.consume(String(user.id)),
      handle: async ({ identity, body }) =>
        ownView(await updateProfile(context, identity.user.id, readChanges(body, identity))),
    },
    getPublicUser: async ({ params }) => publicView(found(await users.findByLink(params.username.trim()))),
    getUserById: async ({ params }) => staffView(found(await users.findById(params.id))),

    getReceiving: async ({ identity: { user } }) => (await findOwn(user.id)).receiving,

    listPrompts: async ({ identity: { user } }) => (await findOwn(user.id)).prompts.map(presentPrompt),
    createPrompt: {
      limit: ({ identity: { user } }) => limits.profileUpdate.consume(String(user.id)),
      handle: async ({ identity: { user }, body }) =>
        presentPrompt(await createPrompt(context, await findOwn(user.id), body.content)),
    },
    deletePrompt: async ({ identity: { user }, params }) => deletePrompt(context, await findOwn(user.id), params.id),

    async listSessions({ identity: { user } }) {
      const sessions = await listSessions(context, await findOwn(user.id));
      return sessions.map((session) => presentSession(session, user.sessionId));
    },
    async endSession({ identity: { user }, params }) {
      await endOwnSession(context, user.id, params.id);
    },
    async endOtherSessions({ identity: { user } }) {
      await endOtherSessions(context, user.id, user.sessionId);
    },
  });
}

/** The form sends the current URL to keep the avatar. */
function readChanges({ avatar, ...changes }: ParsedBody<'updateCurrentUser'>, sender: Identity): ProfileChanges {
  if (avatar instanceof UploadedImage) return { ...changes, avatar: { content: avatar.bytes, sender } };
  return avatar === null || avatar === '' ? { ...changes, avatar: null } : changes;
}

/** A closed account looks like an unknown one. */
function found(user: UserRecord | null): UserRecord {
  if (user?.deletesAt !== null) throw new AppError({ code: 'user_not_found', message: 'User not found' });
  return user;
}
