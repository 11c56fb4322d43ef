import { AppError } from '@najwa/common/errors';
import type { Logger } from '@najwa/common/logging';
import { RETENTION } from '@najwa/proto/http';
import type { ArchiveDeps } from './archive.js';
import type { ExportFile, ExportLanguage, ExportRecord, ExportRepository } from './export-store.js';
import { removeQuietly, type ExportWorker } from './worker.js';

const LIFETIME_MS = RETENTION.exportHours * 60 * 60 * 1000;

export interface ExportsDeps extends ArchiveDeps {
  exports: ExportRepository;
  exportWorker: ExportWorker;
  logger: Logger;
}

const running = (): AppError =>
  new AppError({ code: 'export_running', message: 'An export of this account is being gathered.' });

/** @throws {AppError} `export_running` */
export async function refuseWhileGathering({ exports }: ExportsDeps, userId: number): Promise<void> {
  if ((await exports.find(userId))?.status === 'gathering') throw running();
}

/** Replaces the earlier export. @throws {AppError} `export_running` */
export async function createExport(deps: ExportsDeps, userId: number, language: ExportLanguage): Promise<ExportRecord> {
  const expiresAt = new Date(Date.now() + LIFETIME_MS);
  const job = await deps.exports.create({ userId, language, expiresAt });
  if (job === null) throw running();
  if (job.replaced?.archive) await removeQuietly(deps, job.replaced.archive);
  deps.exportWorker.notify();
  return job.created;
}

/** @throws {AppError} `not_found` if expired, replaced or another account's */
export async function findExport({ exports }: ExportsDeps, id: number, userId: number): Promise<ExportRecord> {
  const found = await exports.find(userId, id);
  if (found === null) throw new AppError({ code: 'not_found', message: 'There is no such export.' });
  return found;
}

/** @throws {AppError} `not_found`, also while gathering */
export async function findExportFile(deps: ExportsDeps, id: number, userId: number): Promise<ExportFile> {
  const { file } = await findExport(deps, id, userId);
  if (file === null) throw new AppError({ code: 'not_found', message: 'The file is still being gathered.' });
  return file;
}
