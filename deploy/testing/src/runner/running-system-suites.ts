import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { provideInfrastructure } from '@najwa/dev/infrastructure';
import { Debian } from '@najwa/dev/infrastructure/prepare/debian';
import type { Supervisor } from '@najwa/dev/processes/supervisor';
import type { Reporter } from '@najwa/dev/reporter';
import type { RunningSystem } from '../test-bed/running-system.js';
import { addTallies, EMPTY_TALLY, formatTally, type Tally } from './jest-report.js';
import { runJest } from './jest-run.js';
import { BROWSERS, provideTestPrograms } from './test-programs.js';

export interface Suite {
  name: string;
  /** For Jest. */
  args: readonly string[];
}

export interface SuiteOptions {
  running: RunningSystem;
  /** Temporary. */
  folder: string;
  supervisor: Supervisor;
  reporter: Reporter;
  signal: AbortSignal;
  env?: Record<string, string>;
}

/** Prints the output of failed suites. */
export async function testRunningSystem(
  suites: readonly Suite[],
  { running, folder, supervisor, reporter, signal, env = {} }: SuiteOptions,
): Promise<Tally> {
  const logs = path.join(folder, 'logs');
  await mkdir(logs, { recursive: true });
  const browsers = await provideTestPrograms(BROWSERS, new Debian(supervisor, signal), reporter);
  // Tests decode answers.
  const ffmpeg = await provideInfrastructure({
    ...{ dataDir: folder, reporter, signal, supervisor },
    persistent: false,
    wanted: ['ffmpeg'],
  });
  let tally = EMPTY_TALLY;
  for (const { name, args } of suites) {
    const step = reporter.step(name);
    try {
      const { tally: ofSuite, output } = await runJest([...args, '--runInBand'], {
        // NAJWA_TEST_LOGS: everything is prepared.
        env: {
          ...ffmpeg.env,
          ...browsers,
          ...env,
          NAJWA_RUNNING_SYSTEM: JSON.stringify(running),
          NAJWA_TEST_LOGS: logs,
        },
        signal,
      });
      step.done(formatTally(ofSuite));
      if (ofSuite.failed > 0) process.stderr.write(output);
      tally = addTallies(tally, ofSuite);
    } catch (error) {
      step.fail();
      throw error;
    }
  }
  return tally;
}
