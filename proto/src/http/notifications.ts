import { z } from 'zod';
import { fields, paging } from './fields.js';
import { LIMITS } from './limits.js';
import type { OperationSpec } from './operation.js';
import { kindsChange, NOTIFICATION_KINDS, notificationKinds } from './push.js';

const common = {
  id: fields.id,
  readAt: fields.timestamp.nullable().describe('Null if it is unread. Of a reply, only the day.'),
  createdAt: fields.timestamp,
};

const notification = z
  .discriminatedUnion('kind', [
    z.strictObject({ ...common, kind: z.literal('message'), subject: z.strictObject({ messageId: fields.id }) }),
    z.strictObject({
      ...common,
      kind: z.literal('reply'),
      subject: z.strictObject({
        messageId: fields.id.describe('The message that the own account sent.'),
        username: fields.username.describe('Who replied.'),
        excerpt: z.string().describe('The beginning of the message.'),
      }),
    }),
    z.strictObject({
      ...common,
      kind: z.literal('report'),
      subject: z.strictObject({ reportId: fields.id, outcome: z.enum(['dismissed', 'removed', 'acted']) }),
    }),
    z.strictObject({ ...common, kind: z.literal('visits'), subject: z.strictObject({ visits: fields.count }) }),
  ])
  .meta({
    id: 'Notification',
    description:
      'A message in the inbox, a reply to a message that was sent from the account, the outcome of an own report, or a round number of visits. Kept for 90 days.',
  });

const unread = z
  .strictObject({ unread: z.number().int().min(0).max(LIMITS.unread).describe(`${LIMITS.unread} stands for more.`) })
  .meta({ id: 'UnreadNotifications' });

const selection = z
  .strictObject({
    ids: z.array(fields.id).min(1, 'required').max(LIMITS.page.max, 'too_long').exactOptional(),
    upTo: fields.id.exactOptional().describe('This one and all before it: the newest one that was seen.'),
    before: z.iso
      .datetime({ error: 'not_valid' })
      .exactOptional()
      .describe('Those that were created by then. Of messages by its minute, so `upTo` is more exact.'),
  })
  .superRefine((selection, context) => {
    if (Object.keys(selection).length !== 1) context.addIssue({ code: 'custom', path: ['ids'], message: 'required' });
  })
  .meta({ id: 'NotificationSelection', description: 'One of `ids`, `upTo` and `before`.' });

const settings = z
  .strictObject({ kinds: z.array(z.enum(NOTIFICATION_KINDS)) })
  .meta({ id: 'NotificationSettings', description: 'The kinds that the account wants to see. All at first.' });

export const notificationOperations = {
  listNotifications: {
    summary: 'Notifications of the own account, newest first',
    query: z.object(paging),
    answer: {
      status: 200,
      description: 'One page of notifications.',
      body: z.array(notification),
      optionalHeaders: ['Link'],
    },
  },
  countNotifications: {
    summary: 'Number of unread notifications',
    answer: { status: 200, description: 'The number.', body: unread },
  },
  readNotifications: {
    summary: 'Mark notifications as read',
    description: 'Ids of other accounts, and of notifications that are gone, are ignored.',
    body: selection,
    answer: { status: 200, description: 'How many are unread now.', body: unread },
  },
  getNotificationSettings: {
    summary: 'Kinds of notifications that the own account sees',
    answer: { status: 200, description: 'The kinds.', body: settings },
  },
  updateNotificationSettings: {
    summary: 'Choose the kinds of notifications that the own account sees',
    description:
      'Others are in no list, count or stream. Browsers are told as their own settings say. What came while a kind was off shows as read once it is on again.',
    body: z.strictObject({ kinds: notificationKinds }),
    answer: { status: 200, description: 'The kinds.', body: settings },
  },
  changeNotificationSettings: {
    summary: 'Add kinds of notifications to those that the own account sees, or remove some',
    body: z.strictObject({ kinds: kindsChange }),
    answer: { status: 200, description: 'The kinds.', body: settings },
  },
} satisfies Record<string, OperationSpec>;
