import { AppError } from './errors.js';

export interface BoundedQueueOptions {
  /** Tasks that run side by side. */
  running: number;
  /** Tasks that may wait for their turn. */
  waiting: number;
  /** Seconds after which to try again, for those who are sent away. */
  retryAfter: number;
}

/** Runs a task when it is its turn. @throws {AppError} `unavailable` when too many wait already. */
export type BoundedQueue = <Result>(task: () => Promise<Result>) => Promise<Result>;

/** Keeps expensive work from piling up: beyond the bounds it is better to say so at once than to be late for everybody. */
export function createBoundedQueue({ running, waiting, retryAfter }: BoundedQueueOptions): BoundedQueue {
  let free = running;
  const turns: (() => void)[] = [];

  const begin = async (): Promise<void> => {
    if (free > 0) {
      free -= 1;
      return;
    }
    if (turns.length >= waiting) throw new AppError({ code: 'unavailable', message: 'Too much at once. Try again shortly.', retryAfter });
    await new Promise<void>((resolve) => turns.push(resolve));
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
