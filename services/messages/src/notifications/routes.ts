import { truncateToMinute } from '@najwa/common';
import type { UnaryHandlers } from '@najwa/common/grpc';
import { takePage, type Handlers } from '@najwa/common/http';
import { NOTIFICATION_KINDS } from '@najwa/proto/http';
import type { MessagesServiceService } from '@najwa/proto/messages';
import type { Limits } from '../config.js';
import {
  changeKinds,
  countUnread,
  followNotifications,
  listKinds,
  listNotifications,
  readNotifications,
  type NotificationsDeps,
  type ShownNotification,
} from './notifications.js';

export function notificationHandlers(deps: NotificationsDeps, limits: Limits<'notification'>) {
  return {
    async listNotifications({ identity: { user }, query: { before, limit }, request, response }) {
      const { found, shown } = await listNotifications(deps, user.id, { before, limit: limit + 1 });
      const page = new Set(takePage({ request, response }, found, limit, ({ id }) => id));
      return shown.filter(({ notification }) => page.has(notification)).map(presentNotification);
    },
    countNotifications: async ({ identity: { user } }) => ({ unread: await countUnread(deps, user.id) }),
    readNotifications: {
      limit: ({ identity: { user } }) => limits.notification.consume(String(user.id)),
      async handle({ identity: { user }, body: { ids, upTo, before } }) {
        const which =
          upTo !== undefined ? { upTo } : before === undefined ? { ids: ids ?? [] } : { before: new Date(before) };
        return { unread: await readNotifications(deps, user.id, which) };
      },
    },
    getNotificationSettings: async ({ identity: { user } }) => ({ kinds: await listKinds(deps, user.id) }),
    updateNotificationSettings: {
      limit: ({ identity: { user } }) => limits.notification.consume(String(user.id)),
      async handle({ identity: { user }, body: { kinds } }) {
        await changeKinds(deps, user.id, {
          add: kinds,
          remove: NOTIFICATION_KINDS.filter((kind) => !kinds.includes(kind)),
        });
        return { kinds: await listKinds(deps, user.id) };
      },
    },
    changeNotificationSettings: {
      limit: ({ identity: { user } }) => limits.notification.consume(String(user.id)),
      async handle({ identity: { user }, body: { kinds } }) {
        await changeKinds(deps, user.id, kinds);
        return { kinds: await listKinds(deps, user.id) };
      },
    },
  } satisfies Partial<Handlers<'messages'>>;
}

/** For the gateway's event streams. */
export const notificationCalls = (
  deps: NotificationsDeps,
): Pick<UnaryHandlers<MessagesServiceService>, 'followNotifications'> => ({
  async followNotifications({ userId, ...request }) {
    const { accounts, shown, unread } = await followNotifications(deps, userId, request);
    return {
      accounts: accounts.map(String),
      notifications: shown.map((one) => ({
        id: one.notification.id,
        body: JSON.stringify(presentNotification(one)),
      })),
      unread,
    };
  },
});

function presentNotification({ notification, reply }: ShownNotification) {
  const { id, subject, readAt, createdAt } = notification;
  const times = { readAt: readAt?.toISOString() ?? null, createdAt: createdAt.toISOString() };
  switch (subject.kind) {
    case 'message': {
      const { kind, messageId } = subject;
      // Truncated like the message: seconds would help identify the sender.
      return { id, kind, subject: { messageId }, ...times, createdAt: truncateToMinute(createdAt) };
    }
    case 'reply': {
      const { kind } = subject;
      const { messageId = subject.messageId, username = '', excerpt = '' } = reply ?? {};
      return { id, kind, subject: { messageId, username, excerpt }, ...times };
    }
    case 'report': {
      const { kind, reportId, outcome } = subject;
      return { id, kind, subject: { reportId, outcome }, ...times };
    }
    case 'visits': {
      const { kind, visits } = subject;
      return { id, kind, subject: { visits }, ...times };
    }
  }
}
