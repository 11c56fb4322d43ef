import { signedInIdentityOf, validate } from '@najwa/common';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { MessagesContext } from '../context.js';
import { listSent } from '../domain/lists.js';
import { pageQuery, readFilter, readPage } from './paging.js';
import { presentSentMessage } from './present.js';

const query = z.object({ ...pageQuery, filter: readFilter });

/** GET /api/messages/sent */
export function listSentRoute(context: MessagesContext): RequestHandler {
  return async (request, response) => {
    const { user } = signedInIdentityOf(response);
    const { filter, ...paging } = validate(query, request.query);
    const found = await readPage(request, response, paging, (page) => listSent(context, user.id, filter, page));
    const recipients = await context.auth.findUsers([...new Set(found.map(({ userId }) => userId))]);
    const recipientById = new Map(recipients.map((recipient) => [recipient.id, recipient]));
    response.json(found.map((message) => presentSentMessage(message, recipientById.get(message.userId))));
  };
}
