import PQueue from 'p-queue';
import { AppError } from './errors.js';

export interface BoundedQueueOptions {
  /** Tasks that run at the same time. */
  concurrency: number;
  /** Tasks that may wait for their turn. */
  maxWaiting: number;
  /** Seconds after which a refused caller may try again. */
  retryAfter: number;
  /** How long a task may wait at most, in milliseconds. Without it, as long as it takes. */
  maxWaitMs?: number;
}

/** Runs a task when it is its turn. @throws {AppError} `unavailable` when too many wait already, or when it waited too long. */
export type BoundedQueue = <Result>(task: () => Promise<Result>) => Promise<Result>;

/** Bounds expensive work: beyond the bounds a caller is refused at once, so that the others are not delayed. */
export function createBoundedQueue({
  concurrency,
  maxWaiting,
  retryAfter,
  maxWaitMs,
}: BoundedQueueOptions): BoundedQueue {
  const queue = new PQueue({ concurrency });

  const overloaded = (): AppError =>
    new AppError({ code: 'unavailable', message: 'Too many at once. Try again shortly.', retryAfter });

  return async (task) => {
    if (queue.pending >= concurrency && queue.size >= maxWaiting) throw overloaded();
    if (maxWaitMs === undefined) return queue.add(task);
    const waiting = new AbortController();
    const timeout = setTimeout(() => waiting.abort(overloaded()), maxWaitMs);
    const start = (): ReturnType<typeof task> => {
      clearTimeout(timeout);
      return task();
    };
    return queue.add(start, { signal: waiting.signal });
  };
}
