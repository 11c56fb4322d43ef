import { signedInIdentityOf, validate } from '@najwa/common';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { AuthContext } from '../context.js';
import { endOwnSession } from '../domain/sessions.js';

const params = z.object({ id: z.uuid('not_an_id') });

/** DELETE /api/sessions/{id} */
export function endSessionRoute(context: AuthContext): RequestHandler {
  return async (request, response) => {
    const { user } = signedInIdentityOf(response);
    await endOwnSession(context, user.id, validate(params, request.params).id);
    response.status(204).end();
  };
}
