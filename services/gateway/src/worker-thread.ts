import { extname } from 'node:path';
import type { Logger } from '@najwa/common/logging';
import { Piscina } from 'piscina';

/** One task at a time, off the main thread. */
export interface WorkerThread<Task, Result> {
  /** Undefined after a failure or timeout, or if too many wait. A thread that hangs or dies is replaced. */
  run: (task: Task) => Promise<Result | undefined>;
  close: () => Promise<void>;
}

export interface WorkerThreadOptions {
  /** Without extension. Its default export takes a task, or null to wait until it is loaded. */
  module: URL;
  workerData?: unknown;
  timeLimitMs: number;
  maxWaiting: number;
  maxMemoryMb: number;
  /** Frees the memory of an idle thread. Never by default. */
  idleMs?: number;
  failure: string;
}

export function createWorkerThread<Task, Result>(
  { module, workerData, timeLimitMs, maxWaiting, maxMemoryMb, idleMs, failure }: WorkerThreadOptions,
  logger: Logger,
): WorkerThread<Task, Result> {
  const pool = new Piscina({
    filename: `${module.href}${extname(import.meta.url)}`,
    ...(idleMs === undefined ? { minThreads: 1 } : { minThreads: 0, idleTimeout: idleMs }),
    maxThreads: 1,
    // Otherwise a waiting thread blocks, and its timers never free anything.
    atomics: 'disabled',
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb },
    env: { NODE_ENV: 'production' },
  });
  // Between tasks. The pool replaces the thread.
  pool.on('error', () => undefined);
  let waiting = 0;
  /** Loading may take longer than a task. */
  const start = (): Promise<unknown> => pool.run(null).catch(() => undefined);
  let started = start();
  return {
    async run(task) {
      if (waiting >= maxWaiting) return undefined;
      waiting += 1;
      try {
        // An idle thread is gone.
        if (pool.threads.length === 0) started = start();
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
