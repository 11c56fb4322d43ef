import { z } from 'zod';
import type { ErrorCode } from './errors.js';
import { LIMITS } from './limits.js';
import { RULES, type Rule } from './rules.js';

/** A text field with a rule. Other types than string are `required`. */
export const ruled = (rule: Rule) =>
  z.string({ error: 'required' }).transform((raw, context) => {
    const result = rule(raw);
    if ('value' in result) return result.value;
    context.addIssue({ code: 'custom', message: result.fault });
    // Checks across fields, such as two passwords, compare what was sent.
    return raw;
  });

const characters = ({ min, max }: { min: number; max: number }) =>
  min === 0 ? `At most ${max} characters.` : `${min} to ${max} characters.`;

const text = (name: keyof typeof LIMITS.text) =>
  ruled(RULES[name]).meta({
    description: characters(LIMITS.text[name]),
    ...(LIMITS.text[name].min > 0 && { minLength: LIMITS.text[name].min }),
  });

const texts = Object.fromEntries(
  (Object.keys(LIMITS.text) as (keyof typeof LIMITS.text)[]).map((name) => [name, text(name)]),
) as Record<keyof typeof LIMITS.text, ReturnType<typeof text>>;

const ID = /^[1-9]\d{0,14}$/;

export const fields = {
  /** In a body or an answer. */
  id: z.number({ error: 'required' }).int('not_an_id').positive('not_an_id').meta({
    id: 'Id',
    type: 'integer',
    format: 'int64',
    minimum: 1,
    exclusiveMinimum: undefined,
  }),
  /** In a path, a query or a form. */
  idText: z
    .string({ error: 'required' })
    .regex(ID, 'not_an_id')
    .transform(Number)
    .meta({ type: 'integer', format: 'int64', minimum: 1, pattern: undefined }),

  ...texts,
  newUsername: ruled(RULES.newUsername).meta({
    description:
      'Unique, ignoring case and dots. Contains at least one letter or digit. No dot at the beginning or the end, and no two in a row. Names of our own pages are reserved.',
    minLength: LIMITS.username.min,
    maxLength: LIMITS.username.max,
    pattern: '^[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*$',
  }),
  password: ruled(RULES.password).meta({
    description: 'At least 8 characters (grapheme clusters).',
    minLength: LIMITS.password.min,
    maxLength: LIMITS.password.max,
  }),
  adminPassword: ruled(RULES.adminPassword).meta({
    description: 'At least 6 characters (grapheme clusters).',
    minLength: LIMITS.adminPassword.min,
    maxLength: LIMITS.adminPassword.max,
  }),
  currentPassword: ruled(RULES.currentPassword).meta({ minLength: 1, maxLength: LIMITS.password.max }),
  /** Only compared, never stored. */
  credential: z.string({ error: 'required' }).min(1, 'required').max(LIMITS.password.max, 'too_long'),
  email: ruled(RULES.email).meta({ format: 'email' }),

  username: z.string().meta({ id: 'Username', pattern: '^[A-Za-z0-9._-]{3,30}$' }),
  gender: z.enum(['male', 'female'], { error: 'not_a_choice' }).meta({ id: 'Gender' }),
  voiceType: z.enum(['male', 'female'], { error: 'not_a_choice' }).meta({ id: 'VoiceType' }),
  timestamp: z.string().meta({ id: 'Timestamp', format: 'date-time' }),
  ornament: z.string().meta({
    id: 'Ornament',
    description:
      'Of the message and of nothing else: 64 bits, which a fixed drawing is made from. A keyed hash of its id, so that nobody can tell the id by it.',
    pattern: '^[0-9a-f]{16}$',
  }),
  imageUrl: z.string().nullable().meta({
    id: 'OptionalImageUrl',
    description: 'Path of a picture, relative to /api.',
    pattern: '^/image/[A-Za-z0-9._-]+$',
  }),
  audioUrl: z.string().nullable().meta({
    id: 'OptionalAudioUrl',
    description: 'Path of a sound, relative to /api.',
    pattern: '^/audio/stream/[A-Za-z0-9._-]+$',
  }),
  count: z.number().int().min(0).meta({ type: 'integer', minimum: 0 }),
};

/** Two devices do not undo each other's changes. */
export const setChange = <Added extends z.ZodType, Removed extends z.ZodType>(add: Added, remove: Removed) =>
  z
    .strictObject({ add: add.exactOptional(), remove: remove.exactOptional() })
    .refine((change) => Object.keys(change).length > 0, 'not_a_change')
    .meta({ description: 'Removed first, then added.', minProperties: 1 });

/** Bytes, and their SHA-256 in base64url. */
export class UploadedImage {
  constructor(
    readonly bytes: Buffer,
    readonly digest: string,
  ) {}
}

/** A data URL or a form file. The handler gets an `UploadedImage`. */
export const uploadedImage = (
  z.custom<UploadedImage>((value) => value instanceof UploadedImage, {
    error: ({ input }) => (input === undefined ? 'required' : 'unsupported_image'),
  }) as unknown as z.ZodType<UploadedImage, string>
).meta({
  id: 'ImageData',
  description:
    'A picture as a data URL. The type is detected from the content; the named type is ignored, and may be missing.',
  type: 'string',
  pattern: '^data:(image/[a-z0-9.+-]+|application/octet-stream)?(;[a-z0-9=._-]+)*;base64,[A-Za-z0-9+/]+={0,2}$',
});

export const MEDIA_UNAVAILABLE = 'pictures and voice messages cannot be taken now, texts can';

/** @param limit of its bytes */
export const pictureErrors = (limit: string) =>
  ({
    unsupported_image: 'it is no picture, or of an unknown format',
    image_is_heic: 'a HEIC picture, to be sent as JPEG or PNG',
    image_is_tiff: 'a TIFF picture, to be sent as JPEG or PNG',
    image_too_deep: 'an AVIF picture of more than 8 bits',
    image_damaged: 'a picture that cannot be decoded',
    image_too_large: `a picture over ${limit}`,
    image_too_many_pixels: 'a picture of too many pixels',
    image_too_many_frames: `an animation of more than ${LIMITS.imageFrames} frames`,
    media_unavailable: MEDIA_UNAVAILABLE,
  }) satisfies Partial<Record<ErrorCode, string>>;

/** Of every list. A page continues after the entry `before`, in list order. */
export const paging = {
  before: fields.idText.optional().describe('Id of the last entry of the previous page.'),
  limit: z
    .string()
    .regex(/^([1-9]\d?|100)$/, 'out_of_range')
    .default(String(LIMITS.page.default))
    .transform(Number)
    .meta({ type: 'integer', minimum: 1, maximum: LIMITS.page.max, default: LIMITS.page.default, pattern: undefined }),
};

export const sort = z.enum(['newest', 'oldest'], { error: 'not_a_choice' }).default('newest');

export const readFilter = z
  .enum(['all', 'unread', 'read'], { error: 'not_a_choice' })
  .default('all')
  .describe('Filters by read state.');
