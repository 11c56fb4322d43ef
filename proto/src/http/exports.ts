import { z } from 'zod';
import { fields } from './fields.js';
import type { OperationSpec } from './operation.js';

const accountExport = z
  .strictObject({
    id: fields.id,
    status: z.literal('ready'),
    progress: z.number().int().min(0).max(100).describe('Always 100: the file is made while it is sent.'),
    expiresAt: fields.timestamp,
  })
  .meta({ id: 'AccountExport' });

const params = z.object({ id: fields.idText });
const NOT_FOUND = "there is no such export, its day is over, or it is another account's";

/** Everything that an account has, to take away. */
export const exportOperations = {
  createExport: {
    summary: 'Prepare a file with everything of the own account',
    answer: { status: 201, description: 'The export. Its file can be downloaded for a day.', body: accountExport },
  },
  getExport: {
    summary: 'An export of the own account',
    params,
    answer: { status: 200, description: 'The export.', body: accountExport },
    errors: { not_found: NOT_FOUND },
  },
  getExportFile: {
    summary: 'The file of an export',
    description:
      'A ZIP with messages, replies, pictures, sounds, and a page to read them. Nothing in it says who wrote to the account.',
    params,
    query: z.object({
      language: z.enum(['ar', 'en'], { error: 'not_a_choice' }).default('ar').describe('Language of the page in it.'),
    }),
    answer: { status: 200, description: 'The file, made while it is sent.', media: ['application/zip'] },
    errors: { not_found: NOT_FOUND },
  },
} satisfies Record<string, OperationSpec>;
