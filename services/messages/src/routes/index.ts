import { createRoutes, readSubmission, type Call, type Handlers } from '@najwa/common';
import type { Router } from 'express';
import type { MessagesContext } from '../context.js';
import type { MessageRecord } from '../db/message-record.js';
import type { Page } from '../db/messages.js';
import { deleteMessage, listReceived, listSent, readReply, replyToMessage, updateMessage } from '../domain/inbox.js';
import { presentMessage, presentReply, presentSentMessage } from './present.js';
import { sendingHandlers } from './sending.js';

export function routes(context: MessagesContext): Router {
  return createRoutes('messages', {
    ...listHandlers(context),
    ...sendingHandlers(context),

    updateMessage: async ({ identity, params: { id }, body }) =>
      presentMessage(await updateMessage(context, identity.user.id, id, body)),

    deleteMessage: ({ identity, params: { id } }) => deleteMessage(context, identity.user.id, id),

    async getReply({ identity, params: { messageId } }) {
      const reply = await readReply(context, identity.user?.id, messageId);
      return reply && presentReply(messageId, reply);
    },

    async createReply({ identity, body: { messageId, content }, request }) {
      const submission = readSubmission(request.get('idempotency-key'), identity, [String(messageId), content]);
      const reply = await replyToMessage(context, identity.user.id, { messageId, content, submission });
      return presentReply(messageId, reply);
    },
  });
}

type ListHandlers = Pick<
  Handlers<'messages'>,
  'listMessages' | 'listSentMessages' | 'listPublicMessages' | 'getMessageStats'
>;

function listHandlers(context: MessagesContext): ListHandlers {
  return {
    async listMessages(call) {
      const { user } = call.identity;
      const found = await readPage(call, (page) => listReceived(context, user.id, call.query.filter, page));
      return found.map(presentMessage);
    },

    async listSentMessages(call) {
      const { user } = call.identity;
      const found = await readPage(call, (page) => listSent(context, user.id, call.query.filter, page));
      const recipients = await context.auth.findUsers([...new Set(found.map(({ userId }) => userId))]);
      const recipientById = new Map(recipients.map((recipient) => [recipient.id, recipient]));
      return found.map((message) => presentSentMessage(message, user.id, recipientById.get(message.userId)));
    },

    async listPublicMessages(call) {
      const { userId } = call.params;
      const [found, { public: total }] = await Promise.all([
        readPage(call, (page) => listReceived(context, userId, 'public', page)),
        context.counts.of(userId),
      ]);
      call.response.set('X-Total-Count', String(total));
      return found.map(presentMessage);
    },

    async getMessageStats({ identity }) {
      const { received, sent, read } = await context.counts.of(identity.user.id);
      return { received, sent, read, unread: received - read };
    },
  };
}

type ListCall = Pick<
  Call<'listMessages'> | Call<'listSentMessages'> | Call<'listPublicMessages'>,
  'query' | 'request' | 'response'
>;

/** Reads one message more than the page holds, to know whether a `Link` to the next page is needed. */
async function readPage(
  { query: { sort, before, limit }, request, response }: ListCall,
  read: (page: Page) => Promise<MessageRecord[]>,
): Promise<MessageRecord[]> {
  const found = await read({ order: sort, before, limit: limit + 1 });
  const page = found.slice(0, limit);
  const last = page.at(-1);
  if (found.length > limit && last) {
    const next = new URLSearchParams(request.query as Record<string, string>);
    next.set('before', String(last.id));
    response.set('Link', `<${request.path}?${next.toString()}>; rel="next"`);
  }
  return page;
}
