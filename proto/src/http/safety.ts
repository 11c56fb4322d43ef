import { z } from 'zod';
import { fields, setChange } from './fields.js';
import { LIMITS } from './limits.js';
import type { OperationSpec } from './operation.js';
import { RULES, splitFilterWords, type Rule } from './rules.js';

export const asideReason = z.enum(['blocked', 'filtered']).meta({ id: 'AsideReason' });

const block = z
  .strictObject({
    id: fields.id,
    messageId: fields.id.describe('The message after which the sender was blocked.'),
    excerpt: z.string().describe('The beginning of its text. Empty for a voice message.'),
    createdAt: fields.timestamp,
  })
  .meta({ id: 'Block', description: 'A blocked sender. Nothing in it says who that is.' });

/** Without a letter or digit it could never match. */
const findable: Rule = (raw) => {
  const result = RULES.filterWord(raw);
  return 'value' in result && !/[\p{L}\p{N}]/u.test(result.value) ? { fault: 'forbidden_characters' } : result;
};

const givenWord = z.string({ error: 'required' }).meta({
  description:
    '2 to 50 characters, with at least one letter or digit. Several with commas, semicolons or line breaks between them are several words.',
  minLength: LIMITS.text.filterWord.min,
});

const givenWords = z
  .array(givenWord, { error: 'required' })
  .max(LIMITS.filterWords, 'too_long')
  .transform((given, context) => {
    const words = new Set<string>();
    for (const [index, pasted] of given.entries()) {
      const parts = splitFilterWords(pasted);
      for (const part of parts.length === 0 ? [''] : parts) {
        const result = findable(part);
        if ('value' in result) words.add(result.value);
        else context.addIssue({ code: 'custom', path: [index], message: result.fault });
      }
    }
    if (words.size > LIMITS.filterWords) context.addIssue({ code: 'custom', message: 'too_long' });
    return [...words];
  });

const lists = z
  .array(z.enum(['insults', 'scams'], { error: 'not_a_choice' }))
  .max(2, 'too_long')
  .transform((given) => [...new Set(given)]);

const newFilters = z.strictObject({ words: givenWords, lists }).meta({ id: 'NewFilters' });

/** May be older than today's rules. */
const storedWords = z.array(z.string({ error: 'required' })).max(LIMITS.filterWords, 'too_long');

const filtersChange = z
  .strictObject({
    words: setChange(givenWords, storedWords).exactOptional(),
    lists: setChange(lists, lists).exactOptional(),
  })
  .refine((change) => Object.keys(change).length > 0, 'not_a_change')
  .meta({ id: 'FiltersChange', description: 'Others stay as they are.', minProperties: 1 });

export type FiltersChange = z.output<typeof filtersChange>;

const filters = z
  .strictObject({ words: z.array(z.string()), lists: z.array(z.enum(['insults', 'scams'])) })
  .meta({ id: 'Filters', description: 'Words and ready lists whose messages are set aside.' });

const updatedFilters = {
  status: 200,
  description: 'The filters, and how many waiting messages were set aside.',
  body: filters.extend({ setAside: fields.count }).meta({ id: 'UpdatedFilters' }),
} as const;

export const safetyOperations = {
  createBlock: {
    summary: 'Block whoever wrote a received message, without learning who it is',
    description:
      'What the sender writes to the account from now on is set aside. Blocking after the same message again returns the same block.',
    body: z.strictObject({ messageId: fields.id }).meta({ id: 'NewBlock' }),
    answer: { status: 201, description: 'The block.', body: block },
    errors: {
      message_not_found: 'there is no such message, or the caller did not receive it',
      too_many_blocks: 'the list of the account is full',
    },
  },
  listBlocks: {
    summary: 'Senders that the own account blocked, newest first',
    answer: { status: 200, description: 'All blocks.', body: z.array(block) },
  },
  deleteBlock: {
    summary: 'Lift a block of the own account',
    params: z.object({ id: fields.idText }),
    answer: { status: 204, description: 'The block was lifted. What was set aside stays there.' },
    errors: { block_not_found: "there is no such block, or it is another account's" },
  },
  getFilters: {
    summary: 'Words and ready lists that the own account filters',
    answer: { status: 200, description: 'The filters.', body: filters },
  },
  updateFilters: {
    summary: 'Replace the filters of the own account',
    description: 'New words are applied to the newest 5,000 unread messages too.',
    body: newFilters,
    answer: updatedFilters,
  },
  changeFilters: {
    summary: 'Add filters to those of the own account, or remove some',
    description:
      'Adding one that is there, or removing one that is not, changes nothing. New words are applied to the newest 5,000 unread messages too.',
    body: filtersChange,
    answer: updatedFilters,
  },
} satisfies Record<string, OperationSpec>;
