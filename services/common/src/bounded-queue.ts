import PQueue from 'p-queue';
import { AppError } from './errors.js';

export interface BoundedQueueOptions {
  /** Number of tasks that may run concurrently. */
  concurrency: number;
  /** Number of tasks that may wait. */
  maxWaiting: number;
  /** Retry-After for refused callers, in seconds. */
  retryAfter: number;
  /** Maximum waiting time in milliseconds. Unlimited if omitted. */
  maxWaitMs?: number;
}

/**
 * Runs a task when a slot is free. @throws {AppError} `unavailable` if the queue is full or the task waited too long
 */
export type BoundedQueue = <Result>(task: () => Promise<Result>) => Promise<Result>;

/** Limits the concurrency of expensive work. Callers beyond the limit are refused immediately. */
export function createBoundedQueue({
  concurrency,
  maxWaiting,
  retryAfter,
  maxWaitMs,
}: BoundedQueueOptions): BoundedQueue {
  const queue = new PQueue({ concurrency });

  const overloaded = (): AppError =>
    new AppError({ code: 'unavailable', message: 'Too many requests at once. Try again shortly.', retryAfter });

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
