import { setTimeout as delay } from 'node:timers/promises';
import { succeeds } from '../bootstrap/processes.js';
import type { Reporter } from '../reporter.js';
import type { Program } from './program.js';

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 30_000;
/** Uptime that resets the backoff. */
const HEALTHY_MS = 30_000;

/** Exponential backoff. */
export const restartPause = (restarts: number): number => Math.min(FIRST_PAUSE_MS * 2 ** restarts, MAX_PAUSE_MS);

export interface KeepRunningOptions {
  reporter: Reporter;
  signal: AbortSignal;
  /** Milliseconds, by the number of preceding restarts. */
  pauseBefore?: (restarts: number) => number;
}

/** Restarts after each crash until the signal aborts, forever, with bounded backoff. */
export function keepRunning(
  program: Pick<Program, 'name' | 'start' | 'onCrash'>,
  { reporter, signal, pauseBefore = restartPause }: KeepRunningOptions,
): void {
  let restarts = 0;
  let startedAt = performance.now();

  const restart = async (): Promise<void> => {
    if (performance.now() - startedAt > HEALTHY_MS) restarts = 0;
    for (let isRunning = false; !isRunning;) {
      const pause = pauseBefore(restarts);
      reporter.say(`${program.name} ended unexpectedly. Restarting it in ${pause / 1_000} s.`);
      await delay(pause, undefined, { signal });
      restarts += 1;
      isRunning = await succeeds(program.start(signal));
      signal.throwIfAborted();
    }
    startedAt = performance.now();
  };

  program.onCrash(() => {
    // Only the signal rejects.
    restart().catch(() => undefined);
  });
}
