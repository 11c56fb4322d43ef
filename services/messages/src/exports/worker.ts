import type { Logger } from '@najwa/common/logging';
import { createLeasedWorker, type LeasedWorker } from '../leased-worker.js';
import { storeArchive, type ArchiveDeps } from './archive.js';
import type { ExportRepository, TakenExport } from './export-store.js';

/** Exports that a process gathers at once. Each holds a few megabytes. */
const CONCURRENCY = 2;

const LOOK_MS = 2_000;
const LEASE_MS = 15_000;
const RENEW_MS = 2_000;

/** Before the second try, the third and so on. The last one repeats, until the day of the export is over. */
const PAUSES_MS = [2_000, 15_000, 60_000, 5 * 60_000, 15 * 60_000, 60 * 60_000];

/** The account is told then. The tries go on. */
const TRIES_UNTIL_FAILED = 3;

const pauseAfter = (tries: number): number => PAUSES_MS[Math.min(tries, PAUSES_MS.length) - 1] ?? 0;

/** Needs of gathering in the background. */
export interface ExportWorkerDeps extends ArchiveDeps {
  exports: ExportRepository;
  /**
   * The bytes of a file with everything of an account.
   * @param report called with the share that is gathered, from 0 to 1. May end the work by throwing
   */
  gatherExport: (job: TakenExport, signal: AbortSignal, report: (share: number) => void) => AsyncIterable<Uint8Array>;
  logger: Logger;
}

/** Gathers exports that are due. A process that stops hands them over to other replicas. */
export const createExportWorker = (deps: ExportWorkerDeps): LeasedWorker =>
  createLeasedWorker({
    pollMs: LOOK_MS,
    logger: deps.logger,
    name: 'exports',
    async take(running) {
      if (running >= CONCURRENCY) return [];
      const now = Date.now();
      const job = await deps.exports.take(new Date(now), new Date(now + LEASE_MS));
      return job === null ? [] : [job];
    },
    async run({ taken, abandoned }, stopping) {
      await Promise.all([gather(deps, taken, stopping), abandoned !== null && removeQuietly(deps, abandoned)]);
    },
  });

/** Never throws. A crash leaves the job to whoever takes it after its lease. */
async function gather(deps: ExportWorkerDeps, job: TakenExport, stopping: AbortSignal): Promise<void> {
  const { exports, logger } = deps;
  const lost = new AbortController();
  const signal = AbortSignal.any([stopping, lost.signal]);
  let progress = 0;
  const renew = async (): Promise<void> => {
    // With the pause, so that a job that kills its process is not taken again at once.
    const takeAt = new Date(Date.now() + LEASE_MS + pauseAfter(job.tries));
    if (!(await exports.renew(job, { progress, takeAt }))) lost.abort();
  };
  const heartbeat = setInterval(() => {
    // A database that is away for a moment does not end the try.
    void renew().catch(() => undefined);
  }, RENEW_MS);
  try {
    await renew();
    const bytes = deps.gatherExport(job, signal, (share) => {
      signal.throwIfAborted();
      progress = Math.min(99, Math.floor(100 * share));
    });
    const file = await storeArchive(deps, job, bytes, signal);
    signal.throwIfAborted();
    if (!(await exports.complete(job, file))) await removeQuietly(deps, job.archive);
  } catch (error) {
    const handOver = { tries: job.tries - 1, takeAt: new Date() };
    const tryLater = {
      status: job.tries < TRIES_UNTIL_FAILED ? ('gathering' as const) : ('failed' as const),
      takeAt: new Date(Date.now() + pauseAfter(job.tries)),
    };
    if (!signal.aborted) logger.warn({ err: error, exportId: job.id, tries: job.tries }, 'export not gathered');
    clearInterval(heartbeat);
    await exports
      .handBack(job, stopping.aborted ? handOver : tryLater)
      .catch((failure: unknown) => logger.warn({ err: failure }, 'export not handed back, its lease will end'));
    // The database may have completed the job although its answer was lost. If it cannot say, the next try removes the parts.
    const mayBeComplete = await exports.isComplete(job).catch(() => true);
    if (!mayBeComplete) await removeQuietly(deps, job.archive);
  } finally {
    clearInterval(heartbeat);
  }
}

/** Media removes what this leaves when the day of the export is over. */
export async function removeQuietly(
  { media, logger }: Pick<ExportWorkerDeps, 'media' | 'logger'>,
  archive: string,
): Promise<void> {
  await media
    .removeArchive({ archive })
    .catch((error: unknown) => logger.warn({ err: error }, 'parts of an export not removed yet'));
}
