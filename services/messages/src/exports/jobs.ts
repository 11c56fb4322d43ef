import { AppError } from '@najwa/common';
import { RETENTION } from '@najwa/proto/http';
import type { MessagesContext } from '../context.js';
import type { ExportFile, ExportLanguage, ExportRecord } from './export-store.js';
import { removeQuietly } from './worker.js';

const LIFETIME_MS = RETENTION.exportHours * 60 * 60 * 1000;

const running = (): AppError =>
  new AppError({ code: 'export_running', message: 'An export of this account is being gathered.' });

/** @throws {AppError} `export_running` */
export async function refuseWhileGathering({ exports }: MessagesContext, userId: number): Promise<void> {
  if ((await exports.findOf(userId))?.status === 'gathering') throw running();
}

/** Has a file gathered, in place of the account's earlier one. @throws {AppError} `export_running` */
export async function createExport(
  context: MessagesContext,
  userId: number,
  language: ExportLanguage,
): Promise<ExportRecord> {
  const expiresAt = new Date(Date.now() + LIFETIME_MS);
  const job = await context.exports.create({ userId, language, expiresAt });
  if (job === null) throw running();
  if (job.replaced?.archive) await removeQuietly(context, job.replaced.archive);
  context.exportWorker.notify();
  return job.created;
}

/** @throws {AppError} `not_found` if it has expired, was replaced, or is another account's */
export async function findExport({ exports }: MessagesContext, id: number, userId: number): Promise<ExportRecord> {
  const found = await exports.find(id, userId);
  if (found === null) throw new AppError({ code: 'not_found', message: 'There is no such export.' });
  return found;
}

/** @throws {AppError} `not_found` also while the file is gathered */
export async function findExportFile(context: MessagesContext, id: number, userId: number): Promise<ExportFile> {
  const { file } = await findExport(context, id, userId);
  if (file === null) throw new AppError({ code: 'not_found', message: 'The file is still being gathered.' });
  return file;
}
