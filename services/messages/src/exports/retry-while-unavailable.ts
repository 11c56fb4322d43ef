import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '@najwa/common/errors';

/** About 30 seconds in all: the restart of a store or a service. */
const PAUSES_MS = [500, 1_000, 2_000, 4_000, 8_000, 16_000];

/** For background work only. */
export async function retryWhileUnavailable<Result>(call: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  for (const pauseMs of PAUSES_MS) {
    signal.throwIfAborted();
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'unavailable')) throw error;
      await wait(pauseMs, undefined, { signal });
    }
  }
  return call();
}
