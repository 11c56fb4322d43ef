import { AppError, signedInIdentityOf, validate } from '@najwa/common';
import { Router } from 'express';
import { z } from 'zod';
import type { AuthContext } from '../context.js';
import { endOtherSessions, endOwnSession, listSessions } from '../domain/sessions.js';
import { presentSession } from './present.js';

const params = z.object({ id: z.uuid('not_an_id') });

export function sessionRoutes(context: AuthContext): Router {
  return Router()
    .get('/api/sessions', async (_request, response) => {
      const identity = signedInIdentityOf(response);
      const user = await context.users.findById(identity.user.id);
      if (user === null) throw new AppError({ code: 'not_signed_in', message: 'Sign in first.' });
      response.json(
        (await listSessions(context, user)).map((session) => presentSession(session, identity.user.sessionId)),
      );
    })
    .delete('/api/sessions/:id', async (request, response) => {
      const { user } = signedInIdentityOf(response);
      await endOwnSession(context, user.id, validate(params, request.params).id);
      response.status(204).end();
    })
    .delete('/api/sessions', async (_request, response) => {
      const { user } = signedInIdentityOf(response);
      await endOtherSessions(context, user.id, user.sessionId);
      response.status(204).end();
    });
}
