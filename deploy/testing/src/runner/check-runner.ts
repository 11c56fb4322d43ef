import type { Reporter, Step } from '@najwa/dev/reporter';
import { addTallies, EMPTY_TALLY, formatTally, tallyOfCheck, type Tally } from './jest-report.js';

/** One after another, as steps. Each counts as a test. */
export interface CheckRunner {
  /** @returns whether it passed. Passes with a summary, fails by throwing. */
  check(name: string, work: (step: Step) => Promise<string>): Promise<boolean>;
  add(tally: Tally): void;
  /** @returns the exit status */
  finish(): number;
}

export function createCheckRunner(reporter: Reporter, signal: AbortSignal): CheckRunner {
  let tally = EMPTY_TALLY;
  const add = (more: Tally): void => {
    tally = addTallies(tally, more);
  };
  return {
    add,
    async check(name, work) {
      signal.throwIfAborted();
      const step = reporter.step(name);
      try {
        step.done(await work(step));
        add(tallyOfCheck(true));
        return true;
      } catch (error) {
        step.fail();
        signal.throwIfAborted();
        process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
        add(tallyOfCheck(false));
        return false;
      }
    },
    finish() {
      process.stdout.write(`${formatTally(tally)}\n`);
      return tally.failed === 0 && tally.passed > 0 ? 0 : 1;
    },
  };
}
