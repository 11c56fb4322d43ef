import { identityOf, personText, readSubmission, validate } from '@najwa/common';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { AuthContext } from '../context.js';
import { register } from '../domain/accounts.js';
import { beginSession } from '../domain/sessions.js';
import { username } from '../domain/usernames.js';
import { presentOwnUser } from './present.js';
import { setSessionCookie } from './session-cookie.js';

const body = z
  .strictObject({
    name: personText({ min: 1, max: 60 }),
    username,
    password: z.string({ error: 'required' }).min(1, 'required').min(8, 'too_short').max(128, 'too_long'),
    confirmPassword: z.string({ error: 'required' }),
    bio: personText({ min: 0, max: 300 }).default(''),
    terms: z.literal(true, { error: 'terms_required' }),
  })
  .refine(({ password, confirmPassword }) => password === confirmPassword, { path: ['confirmPassword'], message: 'passwords_differ', when: () => true });

/** POST /api/register */
export function registerRoute(context: AuthContext): RequestHandler {
  return async (request, response) => {
    const identity = identityOf(response);
    const registration = validate(body, request.body);
    await context.limits.register.consume(identity.ip);
    const { name, bio } = registration;
    const submission = readSubmission(request.get('idempotency-key'), identity, [registration.username, name, bio]);
    const user = await register(context, { username: registration.username, name, bio, password: registration.password }, submission);
    setSessionCookie(request, response, await beginSession(context, user.id));
    response.status(201).json(presentOwnUser(user));
  };
}
