import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { beginRangedAnswer, readByteRange, type Call, type Handlers } from '@najwa/common/http';
import type { Limits } from '../config.js';
import { readArchive } from './archive.js';
import type { ExportRecord } from './export-store.js';
import { createExport, findExport, findExportFile, refuseWhileGathering, type ExportsDeps } from './jobs.js';

export function exportHandlers(deps: ExportsDeps, limits: Limits<'export' | 'exportFile'>) {
  const { exports } = deps;
  return {
    createExport: {
      async limit({ identity: { user } }) {
        // Asking too early does not count against the daily limit.
        await refuseWhileGathering(deps, user.id);
        await limits.export.consume(String(user.id));
      },
      handle: async ({ identity: { user }, query: { language } }) =>
        presentExport(await createExport(deps, user.id, language)),
    },
    async listExports({ identity: { user } }) {
      const latest = await exports.find(user.id);
      return latest === null ? [] : [presentExport(latest)];
    },
    getExport: async ({ identity: { user }, params: { id } }) => presentExport(await findExport(deps, id, user.id)),
    getExportFile: {
      limit: ({ identity: { user } }) => limits.exportFile.consume(String(user.id)),
      handle: (call) => sendExportFile(deps, call),
    },
  } satisfies Partial<Handlers<'messages'>>;
}

async function sendExportFile(
  deps: ExportsDeps,
  {
    identity: { user },
    params: { id },
    request,
    response,
  }: Call<'getExportFile'> & { identity: { user: { id: number } } },
): Promise<void> {
  const file = await findExportFile(deps, id, user.id);
  const stored = { size: file.size, contentType: 'application/zip', etag: `"${file.archive}"` };
  const range = readByteRange(request, response, stored);
  beginRangedAnswer(response, stored, range);
  response.set({
    'Content-Disposition': `attachment; filename="najwa-${id}.zip"`,
    'Cache-Control': 'private, no-store',
  });
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  // With a length, browsers detect a broken download and resume it by range.
  await pipeline(Readable.from(readArchive(deps, id, file, range), { objectMode: false }), response).catch(
    (error: unknown) => deps.logger.warn({ err: error }, 'export not sent to its end'),
  );
}

const presentExport = ({ id, status, progress, file, expiresAt }: ExportRecord) => ({
  id,
  status,
  progress,
  ...(file !== null && { size: file.size }),
  expiresAt: expiresAt.toISOString(),
});
