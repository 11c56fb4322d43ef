import { setTimeout as delay } from 'node:timers/promises';
import type { Reporter } from '../reporter.js';
import type { Program } from './program.js';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8_000;
const ATTEMPTS = 6;
/** Whoever ran this long before it crashed gets all attempts anew. */
const HEALTHY_MS = 30_000;

/** The pause before a restart: doubled each time, up to a bound. */
export const pauseBefore = (attempt: number): number => Math.min(FIRST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS);

export interface KeepRunningOptions {
  reporter: Reporter;
  signal: AbortSignal;
  /** The program does not stay up. */
  onGiveUp: () => void;
}

/** Starts a program again whenever it crashes, until it has crashed too often in a row or the signal aborts. */
export function keepRunning(program: Program, { reporter, signal, onGiveUp }: KeepRunningOptions): void {
  let attempt = 0;
  let startedAt = performance.now();

  const restart = async (): Promise<void> => {
    if (performance.now() - startedAt > HEALTHY_MS) attempt = 0;
    for (; attempt < ATTEMPTS; attempt += 1) {
      const pause = pauseBefore(attempt);
      reporter.say(`${program.name} ended unexpectedly; it is started again in ${pause / 1_000} s.`);
      await delay(pause, undefined, { signal });
      try {
        await program.start(signal);
        attempt += 1;
        startedAt = performance.now();
        return;
      } catch {
        signal.throwIfAborted();
      }
    }
    reporter.say(`${program.name} does not stay up.`);
    onGiveUp();
  };

  program.onCrash(() => {
    restart().catch(() => undefined);
  });
}
