import { AppError, identityOf, personText, readSubmission, validate } from '@najwa/common';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { AdminContext } from '../context.js';
import { audited } from '../domain/audited.js';
import { presentAdministrator } from './present.js';

const required = z.string({ error: 'required' });

/** The rules of auth, which has the last word, so that a form learns which of its fields is at fault. */
const body = z.strictObject({
  username: required
    .trim()
    .min(1, 'required')
    .min(3, 'too_short')
    .max(30, 'too_long')
    .regex(/^[A-Za-z0-9._-]*[A-Za-z0-9][A-Za-z0-9._-]*$/, 'forbidden_characters'),
  password: required.min(1, 'required').min(6, 'too_short').max(128, 'too_long'),
  name: personText({ min: 1, max: 60 }),
  email: required.trim().min(1, 'required').max(254, 'too_long').toLowerCase().pipe(z.email('not_an_email')),
  adminSecret: required.min(1, 'required').max(1024, 'too_long'),
  createVerified: z.boolean('not_a_choice').default(true),
});

/** POST /api/admin/create */
export function createAdministratorRoute(context: AdminContext): RequestHandler {
  return async (request, response) => {
    const identity = identityOf(response);
    const { adminSecret, createVerified, ...account } = validate(body, request.body);
    await context.limits.create.consume(identity.ip);
    const { username, name, email } = account;
    const submission = readSubmission(request.get('idempotency-key'), identity, [
      username,
      name,
      email,
      String(createVerified),
    ]);
    const entry = {
      userId: identity.user?.id ?? null,
      ipAddress: identity.ip,
      action: 'administrator.create' as const,
      details: { username },
    };
    const user = await audited(context, entry, async () => {
      if (!context.adminSecret.matches(adminSecret))
        throw new AppError({ code: 'not_allowed', message: 'The developer secret is wrong.' });
      const result = await context.auth.createAdmin({ ...account, isVerified: createVerified, submission });
      return { result, details: { createdUserId: result.id, isVerified: createVerified } };
    });
    response.status(201).json(presentAdministrator(user, email));
  };
}
