import { z } from 'zod';
import { fields, MEDIA_UNAVAILABLE, paging, pictureErrors, readFilter, sort, uploadedImage } from './fields.js';
import { LIMITS } from './limits.js';
import type { OperationSpec } from './operation.js';
import { prompt } from './prompts.js';
import { asideReason } from './safety.js';
import { arrivesBy, NO_MESSAGE, turn, wayBackParams, wayBackPath } from './ways-back.js';

const messageTimestamp = z.string().meta({
  id: 'MessageTimestamp',
  description: 'Arrival time of a message, truncated to the minute.',
  format: 'date-time',
  pattern: ':00\\.000Z$',
});

const shownMessage = {
  id: fields.id,
  userId: fields.id.describe('The recipient.'),
  ornament: fields.ornament,
  content: z.string(),
  isRead: z.boolean(),
  isPublic: z.boolean(),
  pinned: z.literal(true).optional().describe('At the top of the public page.'),
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
  prompt: prompt.optional().describe('The question that the message answers, as it was then.'),
};

const reply = z
  .strictObject({ id: fields.id, messageId: fields.id, content: z.string(), createdAt: fields.timestamp })
  .meta({ id: 'Reply' });

const receivedMessage = {
  ...shownMessage,
  conversationId: fields.id
    .nullable()
    .describe('Id of the first message of the conversation that it belongs to. Null for a single message.'),
  hasEnded: z.literal(true).optional().describe('One of the two has ended the conversation.'),
};

const message = z
  .strictObject(receivedMessage)
  .meta({ id: 'Message', description: 'A received message, without any data about its sender.' });

const publishedMessage = z
  .strictObject(shownMessage)
  .meta({ id: 'PublishedMessage', description: 'A message as everybody sees it on the page of its owner.' });

export const createdMessage = z
  .strictObject({
    ...shownMessage,
    id: fields.id.optional().describe('Missing with `arrivesBy`: it has none before it has come.'),
    arrivesBy,
    wayBack: wayBackPath.optional().describe('Only in the first answer; a repetition under the same key has none.'),
  })
  .meta({ id: 'CreatedMessage', description: 'A message that was sent, without any data about its sender.' });

const listedMessage = z
  .strictObject({
    ...receivedMessage,
    reason: asideReason.optional().describe('Why the message was set aside. Only in that folder.'),
    matched: z
      .string()
      .optional()
      .describe("With `filtered`: the word of the account's that was found, or the name of the ready list."),
  })
  .meta({ id: 'ListedMessage', description: 'A received message in a folder.' });

const folder = z
  .enum(['inbox', 'aside'], { error: 'not_a_choice' })
  .default('inbox')
  .describe('`aside` has the messages of blocked senders and those that a filter stopped.');

const ids = z
  .string()
  .regex(/^[1-9]\d{0,14}(,[1-9]\d{0,14}){0,99}$/, 'not_an_id')
  .transform((list) => list.split(',').map(Number))
  .optional()
  .describe(
    'Ids with commas between them, at most 100. The answer has those that the list has, as they are now, whatever else is asked for.',
  )
  .meta({ type: 'string' });

const q = fields.search
  .default('')
  .describe(
    'Words that a message or its reply has, in any order, by their beginning. Marks, forms of letters, capitals, and Arabic conjunctions, prepositions and the article make no difference. An emoji is a word. At most 8 words.',
  );

/** Seconds would reveal more than the recipient is shown. */
const start = z.iso
  .datetime({ offset: true, error: 'not_valid' })
  .transform((time) => new Date(new Date(time).setUTCSeconds(0, 0)).toISOString())
  .optional()
  .describe(
    'Where the first page begins, to the minute: in the order `newest` with the last message before this time, in `oldest` with the first one since.',
  )
  .meta({ type: 'string', format: 'date-time', pattern: undefined });

const isTimeZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};

const monthsOf = z
  .enum(['all', 'received', 'unread', 'read', 'sent'], { error: 'not_a_choice' })
  .default('all')
  .describe('`unread` and `read` are of received messages, `all` of received and sent ones.');

const zone = z
  .string()
  .max(64, 'too_long')
  .refine(isTimeZone, 'not_a_choice')
  .default('UTC')
  .describe('A time zone by its name, such as `Asia/Riyadh`, in which months begin.');

const messageMonth = z
  .strictObject({
    month: z.string().meta({ pattern: '^\\d{4}-(0[1-9]|1[0-2])$' }),
    count: fields.count
      .optional()
      .describe('Left out for more messages than are counted. Then there may be months without any.'),
  })
  .meta({ id: 'MessageMonth' });

const sentMessage = z
  .strictObject({
    ...shownMessage,
    userId: fields.count.describe('The recipient. 0 once the account no longer exists.'),
    senderUserId: fields.id.describe('The own account.'),
    recipient: z
      .strictObject({ username: fields.username, name: z.string() })
      .nullable()
      .describe('Null if the account no longer exists.'),
    createdAt: fields.timestamp,
    warnedAt: fields.timestamp.nullable().describe('When a moderator warned the account about this message.'),
    canWrite: z.literal(true).optional().describe('Its answer ends a conversation that takes one more message.'),
    arrivesBy,
  })
  .meta({ id: 'SentMessage', description: 'A message as its sender sees it.' });

const publicMessage = z
  .strictObject({
    ...shownMessage,
    recipient: z.strictObject({ username: fields.username, name: z.string() }),
  })
  .meta({ id: 'PublicMessage', description: 'A published message and whose page it is on.' });

const messageStats = z
  .strictObject({
    received: fields.count,
    sent: fields.count,
    read: fields.count,
    unread: fields.count,
    toSelf: fields.count
      .optional()
      .describe('Messages of the account to itself. They are counted as received and as sent.'),
    wave: z
      .strictObject({ count: fields.count, minutes: fields.count })
      .nullish()
      .describe('What arrived in the last minutes, if that is far more than ever before.'),
  })
  .meta({ id: 'MessageStats' });

const LATER = `It comes at a time that is drawn from the next ${LIMITS.laterHours} hours, as one that is sent then.`;

const PROMPT_ID = 'The prompt of the recipient that the message answers.';

export const newMessage = z
  .strictObject({
    userId: fields.id.describe('The recipient.'),
    content: fields.message.describe('1 to 700 characters. Required even with a picture.'),
    promptId: fields.id.nullish().describe(PROMPT_ID),
    imageUrl: uploadedImage.nullish().describe('A picture of at most 5 MiB. Null means none.'),
    later: z.literal(true, { error: 'not_a_choice' }).optional().describe(LATER),
  })
  .meta({ id: 'NewMessage' });

const messageUpdate = z
  .strictObject({
    isRead: z.literal(true, { error: 'not_a_choice' }).exactOptional(),
    isPublic: z.boolean({ error: 'not_a_choice' }).exactOptional(),
  })
  .refine((changes) => Object.keys(changes).length === 1, 'not_a_change')
  .meta({ id: 'MessageUpdate', description: 'Exactly one change.', minProperties: 1, maxProperties: 1 });

const bulkChange = z
  .strictObject({
    ids: z
      .array(fields.id, { error: 'required' })
      .min(1, 'required')
      .max(LIMITS.bulk, 'too_long')
      .transform((given) => [...new Set(given)])
      .exactOptional(),
    all: z
      .literal('unread', { error: 'not_a_choice' })
      .exactOptional()
      .describe(`In place of \`ids\`, with \`read\`: the newest unread messages, ${LIMITS.unreadAtOnce} at most.`),
    action: z.enum(['read', 'publish', 'unpublish', 'delete'], { error: 'not_a_choice' }),
  })
  .refine(({ ids, all, action }) => (ids === undefined) === (all === 'unread' && action === 'read'), {
    path: ['ids'],
    error: 'required',
  })
  .meta({ id: 'BulkChange' });

const newPins = z
  .strictObject({
    ids: z
      .array(fields.id, { error: 'required' })
      .max(LIMITS.pinned, 'too_long')
      .refine((ids) => new Set(ids).size === ids.length, 'not_valid')
      .describe('In the order of the page. Empty for none.'),
  })
  .meta({ id: 'NewPins' });

const bulkAnswer = z
  .strictObject({
    done: z.array(fields.id).describe('The received messages that are now as was asked, in the order of the request.'),
    undoToken: z.string(),
    undoUntil: fields.timestamp,
  })
  .meta({ id: 'BulkAnswer' });

const newReply = z.strictObject({ messageId: fields.id, content: fields.reply }).meta({ id: 'NewReply' });

/** By the recorder. Ignored: the server measures the sound. */
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

const voiceForm = z
  .strictObject({
    userId: fields.idText,
    voiceType: fields.voiceType,
    isAltered: z
      .literal('true', { error: 'not_a_choice' })
      .optional()
      .describe(
        'The voice has been altered already, on the device. The sound is checked and encoded again, and not altered. Without it, the server alters the voice.',
      ),
    promptId: fields.idText.optional().describe(PROMPT_ID),
    later: z.literal('true', { error: 'not_a_choice' }).optional().describe(LATER),
    duration: measuredDuration,
  })
  .meta({ id: 'VoiceMessageForm' });

const NOT_THE_RECIPIENT = 'there is no such message, or the caller did not receive it';

const NOT_RECEIVING = {
  receiving_paused: 'the recipient takes no messages for now',
  account_required: 'the recipient takes messages from accounts only, and the caller is a visitor',
  account_too_new: "the caller's account is younger than the `minimumDays` that the recipient asks for",
} as const;

const NO_PROMPT = 'the recipient has no such prompt any more';

const followUp = {
  body: newMessage.omit({ userId: true }).meta({ id: 'NewFollowUp' }),
  form: voiceForm.omit({ userId: true }).meta({ id: 'VoiceFollowUpForm' }),
  mayRequireProof: true,
  isIdempotent: true,
  hasNamedSender: true,
  answer: { status: 201, description: 'The message, without any data about its sender.', body: createdMessage },
  errors: {
    not_your_turn: 'the last message has no answer yet',
    conversation_ended: 'one of the two has ended it, or the recipient takes no further messages',
    ...NOT_RECEIVING,
    prompt_not_found: NO_PROMPT,
    ...pictureErrors('5 MiB'),
    media_unavailable: MEDIA_UNAVAILABLE,
  },
} as const satisfies Partial<OperationSpec>;

const ONE_FOR_EACH_ANSWER =
  'One message for each answer. A text, with or without a picture, is JSON; a voice is the form of `POST /api/audio/upload`. It has no way back of its own.';

export const messageOperations = {
  listMessages: {
    summary: 'Messages received by the own account',
    query: z.object({ folder, ids, filter: readFilter, q, sort, start, ...paging }),
    answer: {
      status: 200,
      description: 'One page of the received messages.',
      body: z.array(listedMessage),
      optionalHeaders: ['Link'],
    },
  },
  createMessage: {
    summary: 'Send a message to an account',
    body: newMessage,
    mayRequireProof: true,
    isIdempotent: true,
    hasNamedSender: true,
    answer: { status: 201, description: 'The message, without any data about its sender.', body: createdMessage },
    errors: {
      user_not_found: 'the recipient does not exist',
      ...NOT_RECEIVING,
      prompt_not_found: NO_PROMPT,
      ...pictureErrors('5 MiB'),
    },
  },
  listSentMessages: {
    summary: 'Messages sent from the own account',
    description:
      'Where a recipient does not tell senders of reading, `isRead` is false, and `read` and `unread` leave the message out.',
    query: z.object({ ids, filter: readFilter, q, sort, start, ...paging }),
    answer: {
      status: 200,
      description: 'One page of the sent messages.',
      body: z.array(sentMessage),
      optionalHeaders: ['Link'],
    },
  },
  listMessageMonths: {
    summary: 'Months of the own messages',
    description: 'To jump to one: its beginning, or that of the next one, is `start` of a list.',
    query: z.object({ of: monthsOf, zone }),
    answer: { status: 200, description: 'Months with messages, the newest first.', body: z.array(messageMonth) },
  },
  getMessageStats: {
    summary: 'Counts of the own messages',
    answer: { status: 200, description: 'The counts.', body: messageStats },
  },
  listPublicMessages: {
    summary: 'Published messages of an account with their replies',
    description: 'Whatever the order, the list begins with the messages that the account pinned.',
    params: z.object({ userId: fields.idText }),
    query: z.object({ sort, ...paging }),
    isConditional: true,
    answer: {
      status: 200,
      description: 'One page of the published messages.',
      body: z.array(publishedMessage),
      headers: ['X-Total-Count', 'ETag'],
      optionalHeaders: ['Link'],
    },
  },
  listPinnedMessages: {
    summary: 'Messages that the own account pinned, in their order',
    answer: { status: 200, description: 'At most three messages.', body: z.array(listedMessage), headers: ['ETag'] },
  },
  pinMessages: {
    summary: 'Replace the pinned messages of the own account',
    description:
      'The public page begins with them, in this order. A message that is unpublished, deleted or removed is no longer pinned.',
    body: newPins,
    hasPrecondition: true,
    answer: {
      status: 200,
      description: 'The messages that are pinned now.',
      body: z.array(listedMessage),
      headers: ['ETag'],
    },
    errors: { message_not_found: NOT_THE_RECIPIENT, not_public: 'a message is not published' },
  },
  getPublicMessage: {
    summary: 'A published message with its reply',
    params: z.object({ id: fields.idText }),
    answer: { status: 200, description: 'The message.', body: publicMessage },
    errors: { message_not_found: 'there is no such message, or it is not published' },
  },
  updateMessage: {
    summary: 'Mark a received message as read, publish it or unpublish it',
    params: z.object({ id: fields.idText }),
    body: messageUpdate,
    answer: { status: 200, description: 'The message after the change.', body: message },
    errors: { message_not_found: NOT_THE_RECIPIENT },
  },
  deleteMessage: {
    summary: 'Delete a received message or one on its way for everybody, or hide a sent one from the own list',
    params: z.object({ id: fields.idText }),
    answer: { status: 204, description: 'The message was deleted or hidden.' },
    errors: { message_not_found: 'there is no such message, or the caller neither received nor sent it' },
  },
  changeMessages: {
    summary: 'Change many received messages at once',
    description:
      'Ids of messages that the caller did not receive, or that were set aside, change nothing. The change can be taken back for ten seconds. A deleted message is hidden from everybody at once, and gone for good after that time.',
    body: bulkChange,
    answer: { status: 200, description: 'What was changed, and how to take it back.', body: bulkAnswer },
  },
  undoMessages: {
    summary: 'Take the change of many messages back',
    body: z.strictObject({ undoToken: z.string({ error: 'required' }).max(64, 'too_long') }).meta({ id: 'UndoChange' }),
    answer: {
      status: 200,
      description: 'The messages as they are now, the newest hundred of them.',
      body: z.array(listedMessage),
    },
    errors: { undo_expired: 'the time is over, or no change has this token' },
  },
  getConversation: {
    summary: 'The conversation that a received message belongs to',
    params: z.object({ id: fields.idText }),
    query: z.object({ before: fields.idText.optional().describe('Cursor of the page.') }),
    answer: {
      status: 200,
      description: `The messages of the inbox and their answers, oldest first: the last ${LIMITS.turns} at most. Further pages have earlier ones.`,
      body: z.array(turn),
      optionalHeaders: ['Link'],
    },
    errors: { message_not_found: NOT_THE_RECIPIENT },
  },
  endConversation: {
    summary: 'End the conversation that a received message belongs to',
    description: 'Its sender sees that it ended, and cannot write in it any more.',
    params: z.object({ id: fields.idText }),
    answer: { status: 204, description: 'It has ended. Also if it had before.' },
    errors: { message_not_found: NOT_THE_RECIPIENT },
  },
  createFollowUp: {
    ...followUp,
    summary: 'Write again in the conversation that a message of the own account belongs to',
    description: ONE_FOR_EACH_ANSWER,
    params: z.object({ id: fields.idText }),
    errors: { ...followUp.errors, message_not_found: 'the caller sent no such message, or its recipient is gone' },
  },
  writeByWayBack: {
    ...followUp,
    summary: 'Write again in the conversation behind a way back',
    description: ONE_FOR_EACH_ANSWER,
    params: wayBackParams,
    errors: { ...followUp.errors, message_not_found: NO_MESSAGE },
  },
  restoreMessage: {
    summary: 'Move a message that was set aside into the inbox',
    params: z.object({ id: fields.idText }),
    answer: { status: 200, description: 'The message, in the inbox.', body: message },
    errors: { message_not_found: NOT_THE_RECIPIENT },
  },
  emptyAside: {
    summary: 'Delete everything that was set aside',
    query: z.object({ folder: z.literal('aside', { error: 'required' }) }),
    answer: { status: 204, description: 'The folder is empty.' },
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
      'The sound is at most 10 MiB and shorter than 3 minutes, or as much longer as an alteration on the device makes it (`isAltered`). Its length is measured; the `duration` of the form is not trusted. `fields.audio` is the reason of a refusal: `required`, `too_large`, `too_long`, `too_short`, `silent` or `unsupported`.',
    body: voiceForm,
    mayRequireProof: true,
    isIdempotent: true,
    hasNamedSender: true,
    answer: { status: 201, description: 'The message with the altered voice.', body: createdMessage },
    errors: {
      user_not_found: 'the recipient does not exist',
      ...NOT_RECEIVING,
      prompt_not_found: NO_PROMPT,
      media_unavailable: MEDIA_UNAVAILABLE,
    },
  },
} satisfies Record<string, OperationSpec>;
