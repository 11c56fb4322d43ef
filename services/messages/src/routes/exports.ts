import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Handlers } from '@najwa/common';
import type { MessagesContext } from '../context.js';
import type { ExportRecord } from '../db/exports.js';
import { createExport, exportFile, findExport } from '../domain/exports.js';

type ExportOperation = 'createExport' | 'getExport' | 'getExportFile';

export function exportHandlers(context: MessagesContext): Pick<Handlers<'messages'>, ExportOperation> {
  const { limits, logger } = context;
  return {
    createExport: {
      limit: ({ identity: { user } }) => limits.export.consume(String(user.id)),
      handle: async ({ identity: { user } }) => presentExport(await createExport(context, user.id)),
    },
    getExport: async ({ identity: { user }, params: { id } }) => presentExport(await findExport(context, id, user.id)),
    getExportFile: {
      limit: ({ identity: { user } }) => limits.exportFile.consume(String(user.id)),
      async handle({ identity: { user }, params: { id }, query: { language }, request, response }) {
        await findExport(context, id, user.id);
        response.set({
          'Content-Type': 'application/zip',
          'Content-Disposition': `attachment; filename="najwa-${id}.zip"`,
          'Cache-Control': 'no-store',
        });
        if (request.method === 'HEAD') {
          response.end();
          return;
        }
        // A file that breaks off has no directory at its end, so nobody takes it for a whole one.
        await pipeline(Readable.fromWeb(exportFile(context, user.id, language) as never), response).catch(
          (error: unknown) => logger.warn({ err: error }, 'export not sent to its end'),
        );
      },
    },
  };
}

const presentExport = ({ id, expiresAt }: ExportRecord) => ({
  id,
  status: 'ready' as const,
  progress: 100,
  expiresAt: expiresAt.toISOString(),
});
