import { z } from 'zod';
import { fields, setChange } from './fields.js';
import { LIMITS } from './limits.js';
import type { OperationSpec } from './operation.js';

export const NOTIFICATION_KINDS = ['message', 'reply', 'report', 'visits'] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/** A notification's kind, several of them, or a test by the owner. */
export const PUSH_KINDS = [...NOTIFICATION_KINDS, 'several', 'test'] as const;
export type PushKind = (typeof PUSH_KINDS)[number];

const isTimeZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    // Offsets such as +03:00 have no daylight saving time.
    return /^[A-Za-z]/.test(name);
  } catch {
    return false;
  }
};

const time = z
  .string({ error: 'required' })
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'not_valid')
  .meta({ description: 'On a clock of 24 hours, such as 07:30.' });

const quiet = z
  .strictObject({
    from: time,
    to: time,
    timeZone: z
      .string({ error: 'required' })
      .max(64, 'too_long')
      .refine(isTimeZone, 'not_valid')
      .meta({ description: 'IANA name, such as Asia/Riyadh.' }),
  })
  .superRefine(({ from, to }, context) => {
    if (from === to) context.addIssue({ code: 'custom', path: ['to'], message: 'not_valid' });
  })
  .meta({
    id: 'QuietHours',
    description: 'Notices wait from one time to the other, every day. The second may be on the next day.',
  });

/** 24-hour clock. */
export type QuietHours = z.output<typeof quiet>;

export const notificationKinds = z
  .array(z.enum(NOTIFICATION_KINDS, { error: 'not_a_choice' }), { error: 'required' })
  .max(NOTIFICATION_KINDS.length, 'too_long')
  .transform((chosen) => [...new Set(chosen)]);

const kinds = notificationKinds.describe('What the browser is told of.');

export const kindsChange = setChange(notificationKinds, notificationKinds);
export type KindsChange = z.output<typeof kindsChange>;

const language = z.enum(['ar', 'en'], { error: 'not_a_choice' }).describe('Language of the notices.');

const MAX_ENDPOINT = 1024;

/** A key has 65 bytes, a secret 16. */
const bytes = (length: number) =>
  z
    .string({ error: 'required' })
    .regex(/^[A-Za-z0-9_-]+={0,2}$/, 'not_a_key')
    .refine((text) => text.replace(/=+$/, '').length === Math.ceil((length * 8) / 6), 'not_a_key');

const browserSubscription = z
  .object({
    endpoint: z.string({ error: 'required' }).max(MAX_ENDPOINT, 'too_long').meta({ format: 'uri' }),
    keys: z.object({ p256dh: bytes(65), auth: bytes(16) }, { error: 'required' }),
  })
  .meta({ id: 'BrowserSubscription', description: 'As `PushSubscription.toJSON()` gives it.' });

const id = z.string().meta({ pattern: '^[A-Za-z0-9_-]{22}$' });
const params = z.object({ id: z.string().describe('Of the subscription.') });

const subscription = z
  .strictObject({
    id,
    kinds: z.array(z.enum(NOTIFICATION_KINDS)),
    quiet: quiet.nullable(),
    language: z.enum(['ar', 'en']),
    device: z
      .strictObject({ browser: z.string(), operatingSystem: z.string(), kind: z.string() })
      .describe('Common names. Empty if unknown.'),
    createdAt: fields.timestamp.describe('Only the day.'),
  })
  .meta({
    id: 'PushSubscription',
    description: 'A browser that is told when something comes. It is told the kind alone.',
  });

const token = z.string().describe('Last path segment of a `wayBack`.');

const NOT_FOUND = "there is no such subscription, or it is another account's";

export const pushOperations = {
  getPushKey: {
    summary: 'The key with which browsers subscribe',
    answer: {
      status: 200,
      description: 'The public key (P-256, uncompressed, base64url).',
      body: z.strictObject({ publicKey: z.string() }).meta({ id: 'PushKey' }),
    },
  },
  listPushSubscriptions: {
    summary: 'Browsers on which the own account is told',
    answer: {
      status: 200,
      description: `The browsers, newest first, at most ${LIMITS.pushDevices}.`,
      body: z.array(subscription),
    },
  },
  createPushSubscription: {
    summary: 'Tell a browser when something comes',
    description:
      'For the own account, or with `wayBack` for the reply to the message behind it, once. Repeating it replaces the settings. ' +
      'A browser that was told for another account is told for this one from then on. It ends with the session.',
    body: z.strictObject({
      subscription: browserSubscription,
      kinds,
      quiet: quiet.nullable().default(null),
      language: language.default('ar'),
      wayBack: token.exactOptional(),
    }),
    answer: { status: 201, description: 'The subscription.', body: subscription },
    errors: {
      not_signed_in: 'a visitor without `wayBack`',
      message_not_found: 'no message is behind `wayBack`',
    },
  },
  updatePushSubscription: {
    summary: 'Change what a browser is told',
    description: 'Browsers repeat it while they are used, also without any change: else the subscription expires.',
    params,
    body: z.strictObject({
      kinds: z.union([kinds, kindsChange]).exactOptional(),
      quiet: quiet.nullable().exactOptional(),
      language: language.exactOptional(),
    }),
    answer: { status: 200, description: 'The subscription.', body: subscription },
    errors: { not_found: NOT_FOUND },
  },
  deletePushSubscription: {
    summary: 'Stop telling a browser',
    params,
    query: z.object({ wayBack: token.optional() }),
    answer: { status: 204, description: 'The browser is told nothing any more.' },
    errors: {
      not_signed_in: 'a visitor without `wayBack`',
      message_not_found: 'no message is behind `wayBack`',
      not_found: NOT_FOUND,
    },
  },
  testPushSubscription: {
    summary: 'Send a notice to try it',
    description: 'At once, whatever the settings.',
    params,
    answer: { status: 202, description: 'The notice is on its way.' },
    errors: { not_found: NOT_FOUND },
  },
} satisfies Record<string, OperationSpec>;
