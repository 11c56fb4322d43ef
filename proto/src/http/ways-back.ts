import { z } from 'zod';
import { fields } from './fields.js';
import { LIMITS } from './limits.js';
import type { OperationSpec } from './operation.js';
import { prompt } from './prompts.js';

/** 128 bits, base64url. */
export const wayBackPath = z.string().meta({
  description: 'Address of the page that shows the message to its sender. It is in no other answer.',
  pattern: '^/r/[A-Za-z0-9_-]{22}$',
});

/** Any text: a truncated link is answered like an unknown one. */
export const wayBackParams = z.object({ token: z.string().describe('Last path segment of a `wayBack`.') });

export const NO_MESSAGE = 'no message is behind the token, for whatever reason';

const pathOf = (what: string, segment: string) =>
  z
    .string()
    .nullable()
    .meta({
      description: `Path of the ${what}, relative to /api.`,
      pattern: `^/ways-back/[A-Za-z0-9_-]{22}/${segment}$`,
    });

/** The answers have neither picture nor sound, nor an ornament. */
export const turn = z
  .strictObject({
    id: fields.id,
    from: z.enum(['sender', 'recipient']),
    content: z.string(),
    imageUrl: z.string().nullable().describe('Path of the picture, relative to /api.'),
    audioUrl: z.string().nullable().describe('Path of the sound, relative to /api.'),
    audioDuration: z.number().int().min(0).nullable().describe('In seconds.'),
    audioPeaks: z.array(z.number().int().min(0).max(100)).nullable(),
    createdAt: fields.timestamp,
    ornament: fields.ornament.nullable(),
  })
  .meta({ id: 'Turn', description: 'What one of the two wrote in a conversation: a message, or the answer to it.' });

const ofTurn = z.object({
  turn: fields.idText.optional().describe('Id of a message among the `turns`. Without it, the first message.'),
});

export const arrivesBy = fields.timestamp
  .optional()
  .describe(
    'While it is on its way: the end of the time from which its arrival is drawn. Later if the recipient took none then.',
  );

const wayBack = z
  .strictObject({
    recipient: z.strictObject({
      id: fields.id,
      username: fields.username,
      name: z.string(),
      avatar: fields.imageUrl,
    }),
    ornament: fields.ornament,
    content: z.string(),
    prompt: prompt.optional().describe('The question that it answers.'),
    imageUrl: pathOf('picture', 'image'),
    audioUrl: pathOf('sound', 'audio'),
    audioDuration: z.number().int().min(0).nullable().describe('In seconds.'),
    audioPeaks: z.array(z.number().int().min(0).max(100)).nullable(),
    createdAt: fields.timestamp,
    isRead: z.boolean().nullable().describe('Null if the recipient does not tell senders.'),
    isPublic: z.boolean(),
    reply: z.strictObject({ content: z.string(), createdAt: fields.timestamp }).nullable(),
    canDelete: z.boolean().describe('Of the last message.'),
    turns: z
      .array(turn)
      .describe(
        `The conversation, oldest first: the last ${LIMITS.turns} at most, or those before the turn \`before\`. Their ids count within it.`,
      ),
    isLastRead: z.boolean().nullable().describe('As `isRead`, of the last message.'),
    canWrite: z.boolean().describe('Whether a further message is taken: the last one was answered.'),
    hasEnded: z.boolean().describe('One of the two has ended the conversation.'),
    arrivesBy,
  })
  .meta({
    id: 'WayBack',
    description: 'A message as whoever sent it sees it. Nothing leads to the view of its recipient.',
  });

/** Need neither account nor cookie. */
export const wayBackOperations = {
  getWayBack: {
    summary: 'The message behind a way back, and the conversation that it began',
    params: wayBackParams,
    query: z.object({ before: fields.idText.optional().describe('Id of the first turn of the page after this one.') }),
    answer: { status: 200, description: 'The message.', body: wayBack },
    errors: { message_not_found: NO_MESSAGE },
  },
  deleteWayBack: {
    summary: 'Delete the last message of a way back for everybody',
    description:
      'Until it is read, and while it is on its way. If the recipient does not tell senders of reading, for ten minutes after it was sent, read or not.',
    params: wayBackParams,
    answer: { status: 204, description: 'The message was deleted. Without another one, the way back ends.' },
    errors: {
      message_not_found: NO_MESSAGE,
      already_read: 'the recipient tells senders of reading, and the message was read or published',
      too_late: 'the recipient does not tell senders of reading, and the ten minutes are over',
    },
  },
  endWayBack: {
    summary: 'End the conversation, and the way back',
    params: wayBackParams,
    answer: { status: 204, description: 'Nothing is behind the token any more. The recipient sees that it ended.' },
    errors: { message_not_found: NO_MESSAGE },
  },
  getWayBackImage: {
    summary: 'The picture of a message behind a way back',
    params: wayBackParams,
    query: ofTurn,
    answer: { status: 200, description: 'The picture, re-encoded and without metadata.', media: ['image/webp'] },
    errors: { message_not_found: NO_MESSAGE, media_not_found: 'the message has no picture' },
  },
  getWayBackAudio: {
    summary: 'The sound of a message behind a way back',
    description: 'With the altered voice. Multiple ranges, or a range with HEAD, return the whole sound.',
    params: wayBackParams,
    query: ofTurn,
    hasRanges: true,
    answer: { status: 200, description: 'The whole sound.', media: ['audio/mp4'], headers: ['Accept-Ranges'] },
    errors: { message_not_found: NO_MESSAGE, media_not_found: 'the message has no sound' },
  },
} satisfies Record<string, OperationSpec>;
