import { AppError } from './errors.js';

export interface BoundedQueueOptions {
  /** Tasks that run side by side. */
  concurrency: number;
  /** Tasks that may wait for their turn. */
  maxWaiting: number;
  /** Seconds after which to try again, for those who are sent away. */
  retryAfter: number;
  /** For how long a task may wait at most; whoever asked would no longer be there. Without it, as long as it takes. */
  maxWaitMs?: number;
}

/** Runs a task when it is its turn. @throws {AppError} `unavailable` when too many wait already. */
export type BoundedQueue = <Result>(task: () => Promise<Result>) => Promise<Result>;

/** Keeps expensive work from piling up: beyond the bounds it is better to say so at once than to be late for everybody. */
export function createBoundedQueue({
  concurrency,
  maxWaiting,
  retryAfter,
  maxWaitMs,
}: BoundedQueueOptions): BoundedQueue {
  let free = concurrency;
  const turns: (() => void)[] = [];

  const sentAway = (): AppError =>
    new AppError({ code: 'unavailable', message: 'Too many at once. Try again shortly.', retryAfter });

  const begin = async (): Promise<void> => {
    if (free > 0) {
      free -= 1;
      return;
    }
    if (turns.length >= maxWaiting) throw sentAway();
    await new Promise<void>((resolve, reject) => {
      const patience = maxWaitMs === undefined ? undefined : setTimeout(() => leave(), maxWaitMs);
      const turn = (): void => {
        clearTimeout(patience);
        resolve();
      };
      const leave = (): void => {
        turns.splice(turns.indexOf(turn), 1);
        reject(sentAway());
      };
      turns.push(turn);
    });
  };

  const end = (): void => {
    const next = turns.shift();
    if (next) next();
    else free += 1;
  };

  return async (task) => {
    await begin();
    try {
      return await task();
    } finally {
      end();
    }
  };
}
