import { z } from 'zod';
import { fields } from './fields.js';
import { LIMITS } from './limits.js';
import { AGE_STEPS } from './rules.js';
import type { OperationSpec } from './operation.js';

const { min: MIN_DAYS, max: MAX_DAYS } = LIMITS.minimumDays;

const from = z
  .enum(['everyone', 'accounts', 'established', 'nobody'], { error: 'not_a_choice' })
  .describe('Who may write: everybody, signed-in people, accounts of at least `minimumDays`, or nobody.');

const minimumDays = z
  .number({ error: 'not_a_number' })
  .int('not_a_number')
  .min(MIN_DAYS, 'out_of_range')
  .max(MAX_DAYS, 'out_of_range')
  .describe(`One of ${AGE_STEPS.join(', ')}. Any other number counts as the next one of them.`);

const settings = {
  from,
  minimumDays,
  notice: fields.notice.describe('Shown to those who may not write. At most 140 characters.'),
  presence: z
    .enum(['coarse', 'hidden'], { error: 'not_a_choice' })
    .describe('Whether others see roughly when the account was last seen.'),
  readReceipts: z.boolean({ error: 'not_a_choice' }).describe('Whether senders are told when their message was read.'),
  conversations: z
    .boolean({ error: 'not_a_choice' })
    .describe('Whether senders may write again, once for each answer.'),
};

/** In the public profile. */
export const publicReceiving = z
  .strictObject({ from, minimumDays: z.number().int(), notice: z.string() })
  .meta({ id: 'PublicReceiving', description: 'Who may write to the account.' });

const receivingSettings = z
  .strictObject({ ...settings, minimumDays: z.number().int(), notice: z.string() })
  .meta({ id: 'ReceivingSettings' });

export type ReceivingSettings = z.output<typeof receivingSettings>;

/** Optional, but not undefined. */
const optional = <Fields extends Record<string, z.ZodType>>(of: Fields) =>
  Object.fromEntries(Object.entries(of).map(([name, field]) => [name, field.exactOptional()])) as {
    [Name in keyof Fields]: z.ZodExactOptional<Fields[Name]>;
  };

export const receivingUpdate = z
  .strictObject(optional(settings))
  .refine((changes) => Object.keys(changes).length > 0, 'not_a_change')
  .meta({ id: 'ReceivingUpdate', description: 'Omitted settings stay unchanged.', minProperties: 1 });

export const receivingOperations = {
  getReceiving: {
    summary: 'Who may write to the own account, and what shows of it',
    answer: { status: 200, description: 'The settings.', body: receivingSettings },
  },
  updateReceiving: {
    summary: 'Change who may write to the own account, and what shows of it',
    body: receivingUpdate,
    answer: { status: 200, description: 'The settings after the change.', body: receivingSettings },
  },
} satisfies Record<string, OperationSpec>;
