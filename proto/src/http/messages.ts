import { z } from 'zod';
import { fields, paging, readFilter, sort, uploadedImage } from './fields.js';
import type { OperationSpec } from './operation.js';

const messageTimestamp = z.string().meta({
  id: 'MessageTimestamp',
  description: 'Arrival time of a message, truncated to the minute.',
  format: 'date-time',
  pattern: ':00\\.000Z$',
});

const shownMessage = {
  id: fields.id,
  userId: fields.id.describe('The recipient.'),
  content: z.string(),
  isRead: z.boolean(),
  isPublic: z.boolean(),
  imageUrl: fields.imageUrl,
  audioUrl: fields.audioUrl,
  audioType: z.string().nullable(),
  audioDuration: z.number().int().min(0).nullable().describe('In seconds.'),
  audioPeaks: z
    .array(z.number().int().min(0).max(100))
    .nullable()
    .describe('Waveform of the sound: peaks of equal parts, from 0 to 100.'),
  emoji: z.string().nullable(),
  createdAt: messageTimestamp,
  reply: z.strictObject({ content: z.string(), createdAt: fields.timestamp }).nullable(),
};

const reply = z
  .strictObject({ id: fields.id, messageId: fields.id, content: z.string(), createdAt: fields.timestamp })
  .meta({ id: 'Reply' });

const message = z
  .strictObject(shownMessage)
  .meta({ id: 'Message', description: 'A received message, without any data about its sender.' });

const sentMessage = z
  .strictObject({
    ...shownMessage,
    senderUserId: fields.id.describe('The own account.'),
    recipient: z
      .strictObject({ username: fields.username, name: z.string() })
      .nullable()
      .describe('Null if the account no longer exists.'),
    createdAt: fields.timestamp,
  })
  .meta({ id: 'SentMessage', description: 'A message as its sender sees it.' });

const messageStats = z
  .strictObject({ received: fields.count, sent: fields.count, read: fields.count, unread: fields.count })
  .meta({ id: 'MessageStats' });

const newMessage = z
  .strictObject({
    userId: fields.id.describe('The recipient.'),
    content: fields.message.describe('1 to 700 characters. Required even with a picture.'),
    imageUrl: uploadedImage.nullish().describe('A picture of at most 5 MiB. Null means none.'),
  })
  .meta({ id: 'NewMessage' });

const messageUpdate = z
  .strictObject({
    isRead: z.literal(true, { error: 'not_a_choice' }).exactOptional(),
    isPublic: z.boolean({ error: 'not_a_choice' }).exactOptional(),
  })
  .refine((changes) => Object.keys(changes).length === 1, 'not_a_change')
  .meta({ id: 'MessageUpdate', description: 'Exactly one change.', minProperties: 1, maxProperties: 1 });

const newReply = z.strictObject({ messageId: fields.id, content: fields.reply }).meta({ id: 'NewReply' });

/** Duration measured by the recorder. Ignored: the server measures the sound itself. */
const measuredDuration = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,20})?$/, 'not_a_number')
  .optional()
  .meta({
    type: 'number',
    minimum: 0,
    description: 'Duration measured by the recorder, in seconds.',
    pattern: undefined,
  });

const NOT_THE_RECIPIENT = 'there is no such message, or the caller did not receive it';

export const messageOperations = {
  listMessages: {
    summary: 'Messages received by the own account',
    query: z.object({ filter: readFilter, sort, ...paging }),
    answer: {
      status: 200,
      description: 'One page of the received messages.',
      body: z.array(message),
      optionalHeaders: ['Link'],
    },
  },
  createMessage: {
    summary: 'Send a message to an account',
    body: newMessage,
    mayRequireProof: true,
    isIdempotent: true,
    answer: { status: 201, description: 'The message, without any data about its sender.', body: message },
    errors: {
      user_not_found: 'the recipient does not exist',
      image_too_large: 'a picture over 5 MiB or of too many pixels',
      unsupported_image: 'the picture is none',
    },
  },
  listSentMessages: {
    summary: 'Messages sent from the own account',
    query: z.object({ filter: readFilter, sort, ...paging }),
    answer: {
      status: 200,
      description: 'One page of the sent messages.',
      body: z.array(sentMessage),
      optionalHeaders: ['Link'],
    },
  },
  getMessageStats: {
    summary: 'Counts of the own messages',
    answer: { status: 200, description: 'The counts.', body: messageStats },
  },
  listPublicMessages: {
    summary: 'Published messages of an account with their replies',
    params: z.object({ userId: fields.idText }),
    query: z.object({ sort, ...paging }),
    isConditional: true,
    answer: {
      status: 200,
      description: 'One page of the published messages.',
      body: z.array(message),
      headers: ['X-Total-Count', 'ETag'],
      optionalHeaders: ['Link'],
    },
  },
  updateMessage: {
    summary: 'Mark a received message as read, publish it or unpublish it',
    params: z.object({ id: fields.idText }),
    body: messageUpdate,
    answer: { status: 200, description: 'The message after the change.', body: message },
    errors: { message_not_found: NOT_THE_RECIPIENT },
  },
  deleteMessage: {
    summary: 'Delete a received message for everybody, or hide a sent one from the own list',
    params: z.object({ id: fields.idText }),
    answer: { status: 204, description: 'The message was deleted or hidden.' },
    errors: { message_not_found: 'there is no such message, or the caller neither received nor sent it' },
  },
  createReply: {
    summary: 'Reply to a received message',
    description: 'A second reply replaces the first. An unread message becomes read.',
    body: newReply,
    isIdempotent: true,
    answer: { status: 201, description: 'The reply.', body: reply },
    errors: { message_not_found: NOT_THE_RECIPIENT },
  },
  getReply: {
    summary: 'The reply to a message',
    description: 'For the recipient, for the account that sent the message, and for anyone once the message is public.',
    params: z.object({ messageId: fields.idText }),
    answer: { status: 200, description: 'The reply, or null if there is none.', body: reply.nullable() },
    errors: { message_not_found: 'there is no such message, or the caller may not read it' },
  },
  uploadVoiceMessage: {
    summary: 'Send a voice message to an account',
    description:
      'The sound is at most 10 MiB and shorter than 3 minutes. Its length is measured; the `duration` of the form is not trusted. `fields.audio` is the reason of a refusal: `required`, `too_large`, `too_long`, `too_short`, `silent` or `unsupported`.',
    body: z
      .strictObject({ userId: fields.idText, voiceType: fields.voiceType, duration: measuredDuration })
      .meta({ id: 'VoiceMessageForm' }),
    mayRequireProof: true,
    isIdempotent: true,
    answer: { status: 201, description: 'The message with the altered voice.', body: message },
    errors: { user_not_found: 'the recipient does not exist' },
  },
} satisfies Record<string, OperationSpec>;
