import { AppError } from '@najwa/common/errors';
import { createRoutes, linkNextPage, setTotal, takePage } from '@najwa/common/http';
import { readSubmission } from '@najwa/common/limits';
import type { Router } from 'express';
import type { AdminContext } from '../context.js';
import { audited } from '../domain/audited.js';
import { listForeignEntries } from '../domain/foreign-entries.js';
import { entryOf } from './entry.js';
import { reportHandlers } from './reports.js';
import { presentAdministrator, presentAuditEntry, presentConversation, presentTrackingRecord } from './present.js';

export function routes(context: AdminContext): Router {
  const { auth, chatbot, tracking, adminSecret, limits } = context;
  return createRoutes('admin', {
    ...reportHandlers(context),

    async listSenderTracking({ identity, query: { before = 0, limit, userId = 0, text, reason }, request, response }) {
      const entry = entryOf(identity, 'tracking.list', {
        ...(before !== 0 && { before }),
        ...(userId !== 0 && { recipientId: userId }),
        // Not the text, which may quote a message.
        ...(text !== '' && { byText: true }),
        ...(reason && { reason }),
      });
      const page = await audited(context, entry, async () => {
        const result = await tracking.listTracking({ before, limit, recipientId: userId, text });
        const [newest, oldest] = [result.records.at(0), result.records.at(-1)];
        return {
          result,
          details: {
            records: result.records.length,
            ...(newest && oldest && { newestId: newest.id, oldestId: oldest.id }),
          },
        };
      });
      linkNextPage({ request, response }, page.nextBefore);
      setTotal({ response }, page.total);
      return page.records.map(presentTrackingRecord);
    },

    async listChatBotMessages({ identity, query: { before = 0, limit }, request, response }) {
      const entry = entryOf(identity, 'conversations.list', before === 0 ? {} : { before });
      const page = await audited(context, entry, async () => {
        const result = await chatbot.listConversations({ before, limit });
        return { result, details: { conversations: result.conversations.length } };
      });
      linkNextPage({ request, response }, page.nextBefore);
      setTotal({ response }, page.total);
      return page.conversations.map(presentConversation);
    },

    async deleteChatBotMessage({ identity, params: { id } }) {
      await audited(context, entryOf(identity, 'conversation.delete', { conversationId: id }), async () => ({
        result: await chatbot.deleteConversation(id),
      }));
      return { deleted: 1 };
    },

    async deleteChatBotMessages({ identity }) {
      const deleted = await audited(context, entryOf(identity, 'conversations.delete_all', {}), async () => {
        const result = await chatbot.deleteAllConversations();
        return { result, details: { deleted: result } };
      });
      return { deleted };
    },

    async listAudit({ identity, query: { before, limit }, request, response }) {
      const found = await listForeignEntries(context, identity.user.id, { before, limit: limit + 1 });
      const page = takePage({ request, response }, found, limit, ({ id }) => id);
      const accounts = await auth.findUsers([...new Set(page.flatMap(({ userId }) => userId ?? []))]);
      const usernames = new Map(accounts.map(({ id, username }) => [id, username]));
      return page.map((entry) => presentAuditEntry(entry, usernames.get(entry.userId ?? 0)));
    },

    createAdmin: {
      // Against guessing the secret.
      limit: ({ identity }) => limits.create.consume(identity.ip),
      async handle({ identity, body: { adminSecret: offered, createVerified, role, ...account }, request }) {
        const { username, name, email } = account;
        const fields = [username, name, email, String(createVerified)];
        // Keys from before there were roles must still match.
        if (role === 'moderator') fields.push(role);
        const submission = readSubmission(request.get('idempotency-key'), identity, fields);
        const user = await audited(context, entryOf(identity, 'administrator.create', { username }), async () => {
          if (!adminSecret.matches(offered))
            throw new AppError({ code: 'not_allowed', message: 'The developer secret is wrong.' });
          const result = await auth.createAdmin({
            ...account,
            isVerified: createVerified,
            isModerator: role === 'moderator',
            submission,
          });
          return { result, details: { createdUserId: result.id, isVerified: createVerified, role } };
        });
        return presentAdministrator(user, email);
      },
    },
  });
}
