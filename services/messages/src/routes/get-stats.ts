import { signedInIdentityOf } from '@najwa/common';
import type { RequestHandler } from 'express';
import type { MessagesContext } from '../context.js';

/** GET /api/messages/stats */
export function getStatsRoute({ counts }: MessagesContext): RequestHandler {
  return async (_request, response) => {
    const { received, sent, read } = await counts.of(signedInIdentityOf(response).user.id);
    response.json({ received, sent, read, unread: received - read });
  };
}
