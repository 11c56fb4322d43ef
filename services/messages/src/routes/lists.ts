import { idInPath, signedInIdentityOf, validate } from '@najwa/common';
import type { Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import type { MessagesContext } from '../context.js';
import type { MessageRecord } from '../db/message-record.js';
import type { Page } from '../db/messages.js';
import { listReceived, listSent } from '../domain/inbox.js';
import { presentMessage, presentSentMessage } from './present.js';

/** The query parameters of every list. */
const pageQuery = {
  sort: z.enum(['newest', 'oldest'], { error: 'not_a_choice' }).default('newest'),
  before: z
    .string()
    .regex(/^[1-9]\d{0,14}$/, 'not_an_id')
    .transform(Number)
    .optional(),
  limit: z
    .string()
    .regex(/^([1-9]\d?|100)$/, 'out_of_range')
    .default('10')
    .transform(Number),
};

const publicParams = z.object({ userId: idInPath });
const publicQuery = z.object(pageQuery);
const ownQuery = z.object({
  ...pageQuery,
  filter: z.enum(['all', 'unread', 'read'], { error: 'not_a_choice' }).default('all'),
});

/** Reads one message more than the page holds, to know whether a `Link` to the next page is needed. */
async function readPage(
  request: Request,
  response: Response,
  { sort, before, limit }: z.output<typeof publicQuery>,
  read: (page: Page) => Promise<MessageRecord[]>,
): Promise<MessageRecord[]> {
  const found = await read({ order: sort, before, limit: limit + 1 });
  const page = found.slice(0, limit);
  const last = page.at(-1);
  if (found.length > limit && last) {
    const query = new URLSearchParams(request.query as Record<string, string>);
    query.set('before', String(last.id));
    response.set('Link', `<${request.path}?${query.toString()}>; rel="next"`);
  }
  return page;
}

/** GET /api/messages */
export function listReceivedRoute(context: MessagesContext): RequestHandler {
  return async (request, response) => {
    const { user } = signedInIdentityOf(response);
    const { filter, ...paging } = validate(ownQuery, request.query);
    const found = await readPage(request, response, paging, (page) => listReceived(context, user.id, filter, page));
    response.json(found.map(presentMessage));
  };
}

/** GET /api/messages/sent */
export function listSentRoute(context: MessagesContext): RequestHandler {
  return async (request, response) => {
    const { user } = signedInIdentityOf(response);
    const { filter, ...paging } = validate(ownQuery, request.query);
    const found = await readPage(request, response, paging, (page) => listSent(context, user.id, filter, page));
    const recipients = await context.auth.findUsers([...new Set(found.map(({ userId }) => userId))]);
    const recipientById = new Map(recipients.map((recipient) => [recipient.id, recipient]));
    response.json(found.map((message) => presentSentMessage(message, recipientById.get(message.userId))));
  };
}

/** GET /api/messages/public/{userId} */
export function listPublicRoute(context: MessagesContext): RequestHandler {
  return async (request, response) => {
    const { userId } = validate(publicParams, request.params);
    const paging = validate(publicQuery, request.query);
    const [found, { public: total }] = await Promise.all([
      readPage(request, response, paging, (page) => listReceived(context, userId, 'public', page)),
      context.counts.of(userId),
    ]);
    response.set('X-Total-Count', String(total)).json(found.map(presentMessage));
  };
}

/** GET /api/messages/stats */
export function getStatsRoute({ counts }: MessagesContext): RequestHandler {
  return async (_request, response) => {
    const { received, sent, read } = await counts.of(signedInIdentityOf(response).user.id);
    response.json({ received, sent, read, unread: received - read });
  };
}
