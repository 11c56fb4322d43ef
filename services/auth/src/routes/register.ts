import { describeDevice, identityOf, readSubmission, validate } from '@najwa/common';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { AuthContext } from '../context.js';
import { register } from '../domain/accounts.js';
import { beginSession } from '../domain/sessions.js';
import { username } from '../domain/usernames.js';
import { bio, name, newPassword } from './fields.js';
import { presentOwnUser } from './present.js';
import { setSessionCookie } from './session-cookie.js';

const body = z
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

/** POST /api/register */
export function registerRoute(context: AuthContext): RequestHandler {
  return async (request, response) => {
    const identity = identityOf(response);
    const registration = validate(body, request.body);
    await context.limits.register.consume(identity.ip);
    const { name, bio } = registration;
    const submission = readSubmission(request.get('idempotency-key'), identity, [registration.username, name, bio]);
    const user = await register(
      context,
      { username: registration.username, name, bio, password: registration.password },
      submission,
    );
    setSessionCookie(
      request,
      response,
      await beginSession(context, user.id, describeDevice(request.get('user-agent'))),
    );
    response.status(201).json(presentOwnUser(user));
  };
}
