import { z } from 'zod';
import { fields, uploadedImage } from './fields.js';
import type { OperationSpec } from './operation.js';

export const mediaOperations = {
  previewVoice: {
    summary: 'Hear a recording with its voice altered',
    description:
      'An upload of the same recording and voice by the same caller within ten minutes stores exactly this sound. A preview accepts and refuses the same recordings as an upload; `fields.audio` says why: `required`, `too_large`, `too_long`, `too_short`, `silent` or `unsupported`.',
    body: z
      .strictObject({ voiceType: fields.voiceType, isPreview: z.literal('true', { error: 'not_a_choice' }) })
      .meta({ id: 'VoicePreviewForm' }),
    answer: {
      status: 200,
      description: 'Where to hear it.',
      body: z.strictObject({ previewUrl: z.string() }).meta({ id: 'VoicePreview' }),
    },
  },
  streamAudio: {
    summary: 'The sound of a voice message or a preview',
    description:
      'A private sound is for its recipient alone. Anyone with the address of a preview can play it, for ten minutes. Publishing and taking back take effect within seconds. Several ranges, or a range in HEAD, are answered with the whole sound.',
    params: z.object({ id: z.string().describe('The last part of an `audioUrl` or a `previewUrl`.') }),
    isConditional: true,
    hasRanges: true,
    answer: {
      status: 200,
      description: 'The whole sound.',
      media: ['audio/mp4'],
      headers: ['Accept-Ranges', 'Cache-Control', 'ETag'],
    },
    errors: { media_not_found: 'there is no such sound, or the caller may not hear it' },
  },
  getImage: {
    summary: 'A picture',
    description:
      'Private pictures are for those who may read their message. Publishing and taking back take effect within seconds. The picture is WebP, or JPEG for a client whose `Accept` names other image types and not `image/webp`. An animation moves only in WebP, and only whole.',
    params: z.object({ filename: z.string().describe('The last part of an `imageUrl` or an `avatar`.') }),
    query: z.object({
      size: z
        .literal('small', { error: 'not_a_choice' })
        .optional()
        .describe('With `small`, as a list shows it, at most 760 pixels wide and high. A JPEG is always whole.'),
    }),
    isConditional: true,
    answer: {
      status: 200,
      description: 'The picture, re-encoded and without metadata.',
      media: ['image/webp', 'image/jpeg'],
      headers: ['Cache-Control', 'ETag', 'Vary'],
    },
    errors: { media_not_found: 'there is no such picture, or the caller may not see it' },
  },
} satisfies Record<string, OperationSpec>;

const chatImageUrl = '^/image/[A-Za-z0-9._-]+$';

const question = z
  .strictObject({
    message: fields.question,
    imageUrl: z
      .string({ error: 'not_valid' })
      .regex(/^\/image\/[A-Za-z0-9._-]{1,100}$/, 'not_valid')
      .nullish()
      .meta({
        description: 'The address of a picture that the same caller uploaded within a day. Null is the same as none.',
        pattern: chatImageUrl,
      }),
  })
  .refine(({ message, imageUrl }) => message !== '' || (imageUrl ?? null) !== null, {
    path: ['message'],
    message: 'required',
  })
  .meta({ id: 'ChatQuestion', description: 'A question needs a text or a picture.' });

export const chatOperations = {
  chat: {
    summary: 'Ask the assistant',
    body: question,
    isIdempotent: true,
    answer: {
      status: 200,
      description: "The assistant's answer.",
      body: z
        .strictObject({
          response: z.string().meta({
            minLength: 1,
            description:
              'In the language of the question; for a picture without words, in that of the Accept-Language header. An answer of the automatic mode begins with a sentence that holds "الوضع التلقائي" or "automatic mode".',
          }),
        })
        .meta({ id: 'ChatAnswer' }),
    },
    errors: { media_not_found: 'the caller did not upload this picture' },
  },
  uploadChatImage: {
    summary: 'Upload a picture for a question to the assistant',
    body: z.strictObject({ image: uploadedImage }).meta({ id: 'ChatImageForm' }),
    isIdempotent: true,
    answer: {
      status: 201,
      description: 'Where the picture is.',
      body: z
        .strictObject({
          success: z.literal(true),
          image: z.strictObject({ url: z.string().meta({ pattern: chatImageUrl }) }),
        })
        .meta({ id: 'ChatImage' }),
    },
    errors: {
      image_too_large: 'a picture over 5 MiB or of too many pixels',
      unsupported_image: 'the picture is none',
    },
  },
} satisfies Record<string, OperationSpec>;
