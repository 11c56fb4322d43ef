import { extname } from 'node:path';
import type { Logger } from '@najwa/common/logging';
import { Piscina } from 'piscina';

/** A thread for work that would keep visitors waiting. It does one task after the other. */
export interface WorkerThread<Task, Result> {
  /** Undefined if it is not done in time, if too many wait, or if it fails. A thread that hangs or dies is replaced. */
  run: (task: Task) => Promise<Result | undefined>;
  close: () => Promise<void>;
}

export interface WorkerThreadOptions {
  /** Without an extension. Its default export takes a task, or null only to wait until its code is loaded. */
  module: URL;
  workerData?: unknown;
  timeLimitMs: number;
  maxWaiting: number;
  maxMemoryMb: number;
  /** Ends the thread, and frees its memory, when it had nothing to do for that long. Without it the thread stays. */
  idleMs?: number;
  /** In the log, for a task that fails. */
  failure: string;
}

export function createWorkerThread<Task, Result>(
  { module, workerData, timeLimitMs, maxWaiting, maxMemoryMb, idleMs, failure }: WorkerThreadOptions,
  logger: Logger,
): WorkerThread<Task, Result> {
  const pool = new Piscina({
    // With the extension of this module: compiled or source.
    filename: `${module.href}${extname(import.meta.url)}`,
    ...(idleMs === undefined ? { minThreads: 1 } : { minThreads: 0, idleTimeout: idleMs }),
    maxThreads: 1,
    // Otherwise a waiting thread stands still: no timer fires, and what timers hold is never given back.
    atomics: 'disabled',
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb },
    // The thread needs no configuration or secrets.
    env: { NODE_ENV: 'production' },
  });
  // Without a task under way, nobody else would notice. The pool replaces the thread.
  pool.on('error', () => undefined);
  let waiting = 0;
  /** Loading the code may take longer than a task may. */
  const start = (): Promise<unknown> => pool.run(null).catch(() => undefined);
  let started = start();
  return {
    async run(task) {
      if (waiting >= maxWaiting) return undefined;
      waiting += 1;
      try {
        await started;
        return (await pool.run(task, { signal: AbortSignal.timeout(timeLimitMs) })) as Result;
      } catch (error) {
        logger.warn({ fault: error instanceof Error ? error.name : 'unknown' }, failure);
        started = start();
        return undefined;
      } finally {
        waiting -= 1;
      }
    },
    close: () => pool.destroy(),
  };
}
