import type { Logger } from '@najwa/common/logging';
import { LeasedWorker } from '../leased-worker.js';
import { storeArchive, type ArchiveDeps } from './archive.js';
import type { ExportJob, ExportRepository, TakenExport } from './export-store.js';

/** Each holds a few megabytes. */
const CONCURRENCY = 2;

const LOOK_MS = 2_000;
const LEASE_MS = 15_000;
const RENEW_MS = 2_000;

/** Backoff. The last pause repeats until the export expires. */
const PAUSES_MS = [2_000, 15_000, 60_000, 5 * 60_000, 15 * 60_000, 60 * 60_000];

/** Reported as failed from then on. Tries continue. */
const TRIES_UNTIL_FAILED = 3;

const pauseAfter = (tries: number): number => PAUSES_MS[Math.min(tries, PAUSES_MS.length) - 1] ?? 0;

export interface ExportWorkerDeps extends ArchiveDeps {
  exports: ExportRepository;
  /** @param report receives progress from 0 to 1; may abort by throwing */
  gatherExport: (job: TakenExport, signal: AbortSignal, report: (share: number) => void) => AsyncIterable<Uint8Array>;
  logger: Logger;
}

export class ExportWorker extends LeasedWorker<ExportJob> {
  readonly #deps;

  constructor(deps: ExportWorkerDeps) {
    super('exports', LOOK_MS, deps.logger);
    this.#deps = deps;
  }

  protected override async take(running: number): Promise<ExportJob[]> {
    if (running >= CONCURRENCY) return [];
    const now = Date.now();
    const job = await this.#deps.exports.take(new Date(now), new Date(now + LEASE_MS));
    return job === null ? [] : [job];
  }
  protected override async run({ taken, abandoned }: ExportJob, stopping: AbortSignal): Promise<void> {
    await Promise.all([this.#gather(taken, stopping), abandoned !== null && removeQuietly(this.#deps, abandoned)]);
  }

  /** Never throws. After a crash, another worker takes the job when the lease ends. */
  async #gather(job: TakenExport, stopping: AbortSignal): Promise<void> {
    const { exports, logger } = this.#deps;
    const lost = new AbortController();
    const signal = AbortSignal.any([stopping, lost.signal]);
    let progress = 0;
    const renew = async (): Promise<void> => {
      // Includes the backoff, in case the job kills its process.
      const takeAt = new Date(Date.now() + LEASE_MS + pauseAfter(job.tries));
      if (!(await exports.renew(job, { progress, takeAt }))) lost.abort();
    };
    const heartbeat = setInterval(() => {
      // Survives a brief database outage.
      void renew().catch(() => undefined);
    }, RENEW_MS);
    try {
      await renew();
      const bytes = this.#deps.gatherExport(job, signal, (share) => {
        signal.throwIfAborted();
        progress = Math.min(99, Math.floor(100 * share));
      });
      const file = await storeArchive(this.#deps, job, bytes, signal);
      signal.throwIfAborted();
      if (!(await exports.complete(job, file))) await removeQuietly(this.#deps, job.archive);
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
      // Completion may have succeeded although the reply was lost. If unknown, the next try removes the parts.
      const mayBeComplete = await exports.isComplete(job).catch(() => true);
      if (!mayBeComplete) await removeQuietly(this.#deps, job.archive);
    } finally {
      clearInterval(heartbeat);
    }
  }
}

/** Media expires what remains. */
export async function removeQuietly(
  { media, logger }: Pick<ExportWorkerDeps, 'media' | 'logger'>,
  archive: string,
): Promise<void> {
  await media
    .removeArchive({ archive })
    .catch((error: unknown) => logger.warn({ err: error }, 'parts of an export not removed yet'));
}
