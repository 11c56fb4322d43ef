import { truncateToMinute, type Handlers } from '@najwa/common';
import { NOTIFICATION_KINDS } from '@najwa/proto/http';
import type { MessagesContext } from '../context.js';
import {
  changeKinds,
  countUnread,
  listKinds,
  listNotifications,
  readNotifications,
  type ShownNotification,
} from './notifications.js';
import { takePage } from '../paging.js';

type NotificationOperation =
  | 'listNotifications'
  | 'countNotifications'
  | 'readNotifications'
  | 'getNotificationSettings'
  | 'updateNotificationSettings'
  | 'changeNotificationSettings';

export function notificationHandlers(context: MessagesContext): Pick<Handlers<'messages'>, NotificationOperation> {
  return {
    async listNotifications({ identity: { user }, query: { before, limit }, request, response }) {
      const { found, shown } = await listNotifications(context, user.id, { before, limit: limit + 1 });
      const page = new Set(takePage({ request, response }, found, limit, ({ id }) => id));
      return shown.filter(({ notification }) => page.has(notification)).map(presentNotification);
    },
    countNotifications: async ({ identity: { user } }) => ({ unread: await countUnread(context, user.id) }),
    readNotifications: {
      limit: ({ identity: { user } }) => context.limits.notification.consume(String(user.id)),
      async handle({ identity: { user }, body: { ids, upTo, before } }) {
        const which =
          upTo !== undefined ? { upTo } : before === undefined ? { ids: ids ?? [] } : { before: new Date(before) };
        return { unread: await readNotifications(context, user.id, which) };
      },
    },
    getNotificationSettings: async ({ identity: { user } }) => ({ kinds: await listKinds(context, user.id) }),
    updateNotificationSettings: {
      limit: ({ identity: { user } }) => context.limits.notification.consume(String(user.id)),
      async handle({ identity: { user }, body: { kinds } }) {
        await changeKinds(context, user.id, {
          add: kinds,
          remove: NOTIFICATION_KINDS.filter((kind) => !kinds.includes(kind)),
        });
        return { kinds: await listKinds(context, user.id) };
      },
    },
    changeNotificationSettings: {
      limit: ({ identity: { user } }) => context.limits.notification.consume(String(user.id)),
      async handle({ identity: { user }, body: { kinds } }) {
        await changeKinds(context, user.id, kinds);
        return { kinds: await listKinds(context, user.id) };
      },
    },
  };
}

export function presentNotification({ notification, reply }: ShownNotification) {
  const { id, subject, readAt, createdAt } = notification;
  const times = { readAt: readAt?.toISOString() ?? null, createdAt: createdAt.toISOString() };
  switch (subject.kind) {
    case 'message': {
      const { kind, messageId } = subject;
      // As of the message itself: the second would tell more about who wrote it.
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
