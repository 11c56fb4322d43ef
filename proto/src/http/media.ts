import { z } from 'zod';
import { fields, pictureErrors, uploadedImage } from './fields.js';
import type { OperationSpec } from './operation.js';

export const mediaOperations = {
  previewVoice: {
    summary: 'Preview a recording with the altered voice',
    description:
      'If the same caller uploads the same recording and voice within ten minutes, exactly this sound is stored. Accepts the same recordings as an upload. `fields.audio` is the reason of a refusal: `required`, `too_large`, `too_long`, `too_short`, `silent` or `unsupported`.',
    body: z
      .strictObject({ voiceType: fields.voiceType, isPreview: z.literal('true', { error: 'not_a_choice' }) })
      .meta({ id: 'VoicePreviewForm' }),
    answer: {
      status: 200,
      description: 'URL of the preview.',
      body: z.strictObject({ previewUrl: z.string() }).meta({ id: 'VoicePreview' }),
    },
  },
  streamAudio: {
    summary: 'The sound of a voice message or a preview',
    description:
      'A private sound is available to its recipient only. A preview is available for ten minutes to anyone who has its URL. Publishing and unpublishing take effect within seconds. Multiple ranges, or a range with HEAD, return the whole sound.',
    params: z.object({ id: z.string().describe('Last path segment of an `audioUrl` or a `previewUrl`.') }),
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
      'A private picture is available to accounts that may read its message. Publishing and unpublishing take effect within seconds. The format is WebP, or JPEG if `Accept` lists image types without `image/webp`. Animations are kept only in WebP at full size.',
    params: z.object({ filename: z.string().describe('Last path segment of an `imageUrl` or an `avatar`.') }),
    query: z.object({
      size: z
        .literal('small', { error: 'not_a_choice' })
        .optional()
        .describe('`small` returns a picture of at most 760 pixels per side, for lists. JPEG is always full size.'),
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
        description: 'URL of a picture that the same caller uploaded within a day. Null means none.',
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
              'In the language of the question, or of the Accept-Language header for a picture without text. Answers of the automatic mode begin with a sentence that contains "الوضع التلقائي" or "automatic mode".',
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
      description: 'URL of the picture.',
      body: z
        .strictObject({
          success: z.literal(true),
          image: z.strictObject({ url: z.string().meta({ pattern: chatImageUrl }) }),
        })
        .meta({ id: 'ChatImage' }),
    },
    errors: pictureErrors('5 MiB'),
  },
} satisfies Record<string, OperationSpec>;
