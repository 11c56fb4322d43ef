import type { MessagesContext } from '../context.js';
import type { TakenExport } from './export-store.js';
import { storeArchive } from './archive.js';
import { exportFile } from './gather.js';

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

/** Gathers exports that are due, one after the other. */
export interface ExportWorker {
  start(): void;
  /** An export was asked for. */
  notify(): void;
  /** Hands what is being gathered over to other replicas. */
  stop(): Promise<void>;
}

export function createExportWorker(contextOf: () => MessagesContext): ExportWorker {
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  let looking: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const takeDue = async (): Promise<void> => {
    const context = contextOf();
    while (running.size < CONCURRENCY && !stopping.signal.aborted) {
      const now = Date.now();
      const job = await context.exports.take(new Date(now), new Date(now + LEASE_MS));
      if (job === null) return;
      const task = gather(context, job.taken, stopping.signal).finally(() => {
        running.delete(task);
        look();
      });
      running.add(task);
      if (job.abandoned !== null) await removeQuietly(context, job.abandoned);
    }
  };

  const look = (): void => {
    if (stopping.signal.aborted) return;
    looking ??= takeDue()
      .catch((error: unknown) => contextOf().logger.warn({ err: error }, 'no export taken'))
      .finally(() => (looking = undefined));
  };

  return {
    start() {
      timer = setInterval(look, LOOK_MS);
      look();
    },
    notify: look,
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await looking;
      await Promise.all(running);
    },
  };
}

/** Never throws. A crash leaves the job to whoever takes it after its lease. */
async function gather(context: MessagesContext, job: TakenExport, stopping: AbortSignal): Promise<void> {
  const { exports, logger } = context;
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
    const bytes = exportFile(context, job, signal, (share) => {
      signal.throwIfAborted();
      progress = Math.min(99, Math.floor(100 * share));
    });
    const file = await storeArchive(context, job, bytes, signal);
    signal.throwIfAborted();
    if (!(await exports.complete(job, file))) await removeQuietly(context, job.archive);
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
    if (!mayBeComplete) await removeQuietly(context, job.archive);
  } finally {
    clearInterval(heartbeat);
  }
}

/** Media removes what this leaves when the day of the export is over. */
export async function removeQuietly({ media, logger }: MessagesContext, archive: string): Promise<void> {
  await media
    .removeArchive({ archive })
    .catch((error: unknown) => logger.warn({ err: error }, 'parts of an export not removed yet'));
}
