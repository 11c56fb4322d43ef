import { z } from 'zod';
import { fields } from './fields.js';
import type { OperationSpec } from './operation.js';
import { prompt } from './prompts.js';

/** 128 bits, base64url. */
export const wayBackPath = z.string().meta({
  description: 'Address of the page that shows the message to its sender. It is in no other answer.',
  pattern: '^/r/[A-Za-z0-9_-]{22}$',
});

/** Any text: a truncated link is answered like an unknown one. */
const params = z.object({ token: z.string().describe('Last path segment of a `wayBack`.') });

const NO_MESSAGE = 'no message is behind the token, for whatever reason';

const pathOf = (what: string, segment: string) =>
  z
    .string()
    .nullable()
    .meta({
      description: `Path of the ${what}, relative to /api.`,
      pattern: `^/ways-back/[A-Za-z0-9_-]{22}/${segment}$`,
    });

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
    canDelete: z.boolean(),
  })
  .meta({
    id: 'WayBack',
    description: 'A message as whoever sent it sees it. Nothing leads to the view of its recipient.',
  });

/** Need neither account nor cookie. */
export const wayBackOperations = {
  getWayBack: {
    summary: 'The message behind a way back',
    params,
    answer: { status: 200, description: 'The message.', body: wayBack },
    errors: { message_not_found: NO_MESSAGE },
  },
  deleteWayBack: {
    summary: 'Delete the message behind a way back for everybody',
    description:
      'Until it is read. If the recipient does not tell senders of reading, for ten minutes after it was sent, read or not.',
    params,
    answer: { status: 204, description: 'The message was deleted, and its way back ends.' },
    errors: {
      message_not_found: NO_MESSAGE,
      already_read: 'the recipient tells senders of reading, and the message was read or published',
      too_late: 'the recipient does not tell senders of reading, and the ten minutes are over',
    },
  },
  getWayBackImage: {
    summary: 'The picture of the message behind a way back',
    params,
    answer: { status: 200, description: 'The picture, re-encoded and without metadata.', media: ['image/webp'] },
    errors: { message_not_found: NO_MESSAGE, media_not_found: 'the message has no picture' },
  },
  getWayBackAudio: {
    summary: 'The sound of the message behind a way back',
    description: 'With the altered voice. Multiple ranges, or a range with HEAD, return the whole sound.',
    params,
    hasRanges: true,
    answer: { status: 200, description: 'The whole sound.', media: ['audio/mp4'], headers: ['Accept-Ranges'] },
    errors: { message_not_found: NO_MESSAGE, media_not_found: 'the message has no sound' },
  },
} satisfies Record<string, OperationSpec>;
