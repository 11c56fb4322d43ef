import { signedInIdentityOf, validate } from '@najwa/common';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { MessagesContext } from '../context.js';
import { pageQuery, readPage } from './paging.js';
import { presentSentMessage } from './present.js';

const query = z.object(pageQuery);

/** GET /api/messages/sent */
export function listSentRoute({ messages, auth }: MessagesContext): RequestHandler {
  return async (request, response) => {
    const { user } = signedInIdentityOf(response);
    const page = await readPage(request, response, validate(query, request.query), (range) => messages.listSent(user.id, range));
    const recipients = await auth.findUsers([...new Set(page.map(({ userId }) => userId))]);
    const recipientById = new Map(recipients.map((recipient) => [recipient.id, recipient]));
    response.json(page.map((message) => presentSentMessage(message, recipientById.get(message.userId))));
  };
}
