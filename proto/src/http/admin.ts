import { z } from 'zod';
import { fields, paging } from './fields.js';
import { LIMITS } from './limits.js';
import type { OperationSpec } from './operation.js';
import { reportReason } from './reports.js';

/** Null, never empty, if unknown or no longer stored. */
const optionalText = z.string().min(1).nullable();
const optionalUserId = fields.id.nullable();

const trackingRecord = z
  .strictObject({
    id: fields.id,
    messageId: fields.id,
    ipAddress: optionalText.describe('Null if unknown, and once its retention is over.'),
    userAgent: optionalText,
    browser: optionalText,
    operatingSystem: optionalText,
    device: optionalText.meta({ examples: ['desktop', 'mobile', 'tablet'] }),
    location: optionalText,
    referrer: optionalText,
    language: optionalText.describe('Preferred language of the browser.'),
    additionalData: z
      .strictObject({
        acceptedLanguages: z.array(z.string()).describe('Accepted languages of the browser, preferred one first.'),
      })
      .nullable(),
    createdAt: fields.timestamp,
    message: z.strictObject({
      content: z.string(),
      isRead: z.boolean(),
      isPublic: z.boolean(),
      userId: fields.id.describe('The recipient.'),
    }),
  })
  .meta({ id: 'TrackingRecord' });

const chatBotMessage = z
  .strictObject({
    id: fields.id,
    userId: optionalUserId,
    userName: optionalText,
    isVisitor: z.boolean(),
    userMessage: z.string(),
    botResponse: z.string(),
    hasImage: z.boolean(),
    imageUrl: fields.imageUrl,
    isUsingLocalSystem: z.boolean(),
    ipAddress: optionalText.describe('Null if unknown, and once its retention is over.'),
    userAgent: optionalText,
    createdAt: fields.timestamp,
  })
  .meta({ id: 'ChatBotMessage' });

const auditEntry = z
  .strictObject({
    id: fields.id,
    userId: optionalUserId.describe('Null for a visitor.'),
    username: optionalText.describe('Current username.'),
    ipAddress: optionalText.describe('Null if unknown, and once its retention is over.'),
    action: z.enum([
      'tracking.list',
      'conversations.list',
      'conversation.delete',
      'conversations.delete_all',
      'administrator.create',
      'reports.list',
      'actions.list',
      'report.open',
      'report.conversation',
      'report.act',
      'action.undo',
    ]),
    outcome: z.enum(['begun', 'done', 'refused', 'failed']).describe('`begun` means that the result is unknown.'),
    details: z
      .record(z.string(), z.unknown())
      .describe('Ids, counts, codes, usernames, and the reasons that moderators gave. Never text of users.'),
    createdAt: fields.timestamp,
  })
  .meta({ id: 'AuditEntry' });

const staffRole = z.enum(['administrator', 'moderator'], { error: 'not_a_choice' });

const administrator = z
  .strictObject({
    id: fields.id,
    username: fields.username,
    name: z.string(),
    email: z.string().meta({ format: 'email' }),
    role: staffRole,
    isAdmin: z.boolean(),
    isVerified: z.boolean(),
  })
  .meta({ id: 'Administrator' });

const newAdmin = z
  .strictObject({
    username: fields.newUsername,
    password: fields.adminPassword,
    name: fields.name,
    email: fields.email,
    adminSecret: z
      .string({ error: 'required' })
      .min(LIMITS.adminSecret.min, 'required')
      .max(LIMITS.adminSecret.max, 'too_long'),
    createVerified: z.boolean('not_a_choice').default(true),
    role: staffRole.default('administrator').describe('A moderator has the queue of reports, and nothing else.'),
  })
  .meta({ id: 'NewAdmin' });

const deleted = z.strictObject({ deleted: fields.count }).meta({ id: 'Deleted' });

export const adminOperations = {
  listSenderTracking: {
    summary: 'Technical data about the senders of messages, newest first',
    description:
      'Every read is written to the audit log first. A text search scans a bounded number of records per page, so a page may have fewer entries than the limit, or none, and still have a next page.',
    query: z.object({
      ...paging,
      userId: fields.idText.optional().describe('Only messages to this account.'),
      text: fields.search
        .default('')
        .describe('Only messages with this text, ignoring capitals, diacritics and variants of a letter.'),
      reason: reportReason.optional().describe('Why the words are read. Written to the audit log.'),
    }),
    answer: {
      status: 200,
      description: 'One page of records.',
      body: z.array(trackingRecord),
      optionalHeaders: ['Link', 'X-Total-Count'],
    },
  },
  listChatBotMessages: {
    summary: 'Conversations with the assistant, newest first',
    query: z.object(paging),
    answer: {
      status: 200,
      description: 'One page of conversations.',
      body: z.array(chatBotMessage),
      optionalHeaders: ['Link', 'X-Total-Count'],
    },
  },
  deleteChatBotMessages: {
    summary: 'Delete all conversations with the assistant',
    answer: { status: 200, description: 'Number of deleted conversations.', body: deleted },
  },
  deleteChatBotMessage: {
    summary: 'Delete a conversation with the assistant',
    params: z.object({ id: fields.idText }),
    answer: { status: 200, description: 'Number of deleted conversations: one.', body: deleted },
    errors: { not_found: 'there is no such conversation' },
  },
  listAudit: {
    summary: 'Audit log of administrators, newest first',
    description:
      'Without what others did about reported messages that the caller sent, received or reported. Details of entries about a report are shown as long as it is kept.',
    query: z.object(paging),
    answer: {
      status: 200,
      description: 'One page of entries.',
      body: z.array(auditEntry),
      optionalHeaders: ['Link'],
    },
  },
  createAdmin: {
    summary: "Create an administrator's or a moderator's account with the shared secret",
    body: newAdmin,
    isIdempotent: true,
    answer: { status: 201, description: 'The new account, not signed in.', body: administrator },
    errors: {
      not_allowed: 'the secret is wrong',
      username_taken: 'another account has this username',
      username_reserved: 'the username is kept for the site itself',
    },
  },
} satisfies Record<string, OperationSpec>;
