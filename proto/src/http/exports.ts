import { z } from 'zod';
import { fields } from './fields.js';
import type { OperationSpec } from './operation.js';
import { RETENTION } from './retention.js';

const accountExport = z
  .strictObject({
    id: fields.id,
    status: z
      .enum(['gathering', 'ready', 'failed'])
      .describe('`failed`: several tries did not succeed. Further tries follow by themselves, with longer pauses.'),
    progress: z.number().int().min(0).max(100).describe('Share of the account that is gathered. 100 once it is ready.'),
    size: z.number().int().positive().optional().describe('Bytes of the file, once it is ready.'),
    expiresAt: fields.timestamp,
  })
  .meta({ id: 'AccountExport' });

const params = z.object({ id: fields.idText });
const NOT_FOUND = "there is no such export, its day is over, a newer one replaced it, or it is another account's";

export const exportOperations = {
  createExport: {
    summary: 'Gather a file with everything of the own account',
    description: `The file is gathered after the answer, and can be downloaded until ${String(RETENTION.exportHours)} hours after this call. It replaces an earlier one.`,
    query: z.object({
      language: z
        .enum(['ar', 'en'], { error: 'not_a_choice' })
        .default('ar')
        .describe('Language of the page in the file.'),
    }),
    answer: { status: 201, description: 'The export, which is being gathered.', body: accountExport },
    errors: { export_running: 'an export of the account is being gathered' },
  },
  listExports: {
    summary: 'Exports of the own account',
    answer: { status: 200, description: 'The latest export, if its day is not over.', body: z.array(accountExport) },
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
      'A ZIP with messages, replies, pictures, sounds, conversations with the assistant, and a page to read the messages. Nothing in it says who wrote to the account. A download that broke off can go on with a range. Multiple ranges, or a range with HEAD, return the whole file.',
    params,
    hasRanges: true,
    answer: {
      status: 200,
      description: 'The whole file.',
      media: ['application/zip'],
      headers: ['Accept-Ranges', 'Cache-Control', 'ETag'],
    },
    errors: { not_found: `${NOT_FOUND}; or its file is still being gathered` },
  },
} satisfies Record<string, OperationSpec>;
