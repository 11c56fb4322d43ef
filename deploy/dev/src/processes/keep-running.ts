import { setTimeout as delay } from 'node:timers/promises';
import type { Reporter } from '../reporter.js';
import type { Program } from './program.js';

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 30_000;
/** After this uptime, a program restarts with the shortest delay again. */
const HEALTHY_MS = 30_000;

/** Exponential backoff: the pause before a restart, given how many restarts came just before it. */
export const restartPause = (restarts: number): number => Math.min(FIRST_PAUSE_MS * 2 ** restarts, MAX_PAUSE_MS);

export interface KeepRunningOptions {
  reporter: Reporter;
  signal: AbortSignal;
  /** Restart delay in milliseconds, given the number of immediately preceding restarts. */
  pauseBefore?: (restarts: number) => number;
}

/**
 * Restarts the program after each crash until the signal aborts. Never gives up: the other programs keep running, and
 * the delay between attempts is bounded.
 */
export function keepRunning(
  program: Program,
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
      isRunning = await program.start(signal).then(
        () => true,
        () => false,
      );
      signal.throwIfAborted();
    }
    startedAt = performance.now();
  };

  program.onCrash(() => {
    // The only rejection is that of the signal.
    restart().catch(() => undefined);
  });
}
