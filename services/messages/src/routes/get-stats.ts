import { signedInIdentityOf } from '@najwa/common';
import type { RequestHandler } from 'express';
import type { MessagesContext } from '../context.js';

/** GET /api/messages/stats */
export function getStatsRoute({ messages }: MessagesContext): RequestHandler {
  return async (_request, response) => {
    response.json(await messages.counts(signedInIdentityOf(response).user.id));
  };
}
