import {
  clientNetwork,
  cookieAttributes,
  describeDevice,
  FORWARDED_HOST_HEADER,
  identityOf,
  jsonBody,
  PROOF_HEADER,
  readSubmission,
  SESSION_COOKIE,
  signedInIdentityOf,
  validate,
} from '@najwa/common';
import { Router, type Request, type Response } from 'express';
import { z } from 'zod';
import type { AuthContext } from '../context.js';
import type { UserRecord } from '../db/users.js';
import { register } from '../domain/accounts.js';
import { authenticate, changePassword } from '../domain/login.js';
import { beginSession, endSession } from '../domain/sessions.js';
import { username } from '../domain/usernames.js';
import { bio, name, newPassword } from './fields.js';
import { presentOwnUser } from './present.js';

/** The longest that browsers keep a cookie. The server decides when the session expires. */
const COOKIE_MAX_AGE_MS = 400 * 24 * 60 * 60 * 1000;

const password = z.string({ error: 'required' }).min(1, 'required').max(128, 'too_long');

const registration = z
  .strictObject({
    name,
    username,
    password: newPassword,
    confirmPassword: z.string({ error: 'required' }),
    bio: bio.default(''),
    terms: z.literal(true, { error: 'terms_required' }),
  })
  .refine(({ password, confirmPassword }) => password === confirmPassword, {
    path: ['confirmPassword'],
    message: 'passwords_differ',
    when: () => true,
  });

const credentials = z.strictObject({ username: password.transform((name) => name.trim()), password });

const passwordChange = z.strictObject({ currentPassword: password, newPassword });

export function accountRoutes(context: AuthContext): Router {
  async function signIn(request: Request, response: Response, user: UserRecord): Promise<void> {
    const token = await beginSession(context, user, describeDevice(request.get('user-agent')));
    response.cookie(SESSION_COOKIE, token, {
      ...cookieAttributes(request.get(FORWARDED_HOST_HEADER)),
      maxAge: COOKIE_MAX_AGE_MS,
    });
  }

  return Router()
    .post('/api/register', jsonBody())
    .post('/api/register', async (request, response) => {
      const identity = identityOf(response);
      const { terms: _terms, confirmPassword: _confirmPassword, ...account } = validate(registration, request.body);
      await context.limits.register.consume(clientNetwork(identity.ip));
      const { username, name, bio } = account;
      const submission = readSubmission(request.get('idempotency-key'), identity, [username, name, bio]);
      const user = await register(context, account, submission);
      await signIn(request, response, user);
      response.status(201).json(presentOwnUser(user));
    })
    .post('/api/login', jsonBody())
    .post('/api/login', async (request, response) => {
      const identity = identityOf(response);
      const { username, password } = validate(credentials, request.body);
      const proof = request.get(PROOF_HEADER);
      const user = await authenticate(context, { username, password, identity, proof });
      // The cookie replaces the token of the browser's earlier session, which nobody could end any more.
      if (identity.user) await endSession(context, identity.user);
      await signIn(request, response, user);
      response.json(presentOwnUser(user));
    })
    .post('/api/logout', async (request, response) => {
      const { user } = identityOf(response);
      if (user) await endSession(context, user);
      response.clearCookie(SESSION_COOKIE, cookieAttributes(request.get(FORWARDED_HOST_HEADER)));
      response.status(204).end();
    })
    .get('/api/auth-status', (_request, response) => {
      response.json({ authenticated: identityOf(response).user !== null });
    })
    .put('/api/users/password', jsonBody())
    .put('/api/users/password', async (request, response) => {
      const { user } = signedInIdentityOf(response);
      const passwords = validate(passwordChange, request.body);
      await changePassword(context, user, passwords.currentPassword, passwords.newPassword);
      response.status(204).end();
    });
}
