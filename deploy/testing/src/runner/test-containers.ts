import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Reporter } from '@najwa/dev/reporter';
import { formatTally, type Tally } from './jest-report.js';
import { provideTestInfrastructure } from './test-infrastructure.js';
import { runJest, WORKERS } from './jest-run.js';

/**
 * Component tests on Testcontainers, with the images of docker-compose.yml.
 * @returns the exit status
 */
export async function testContainers(options: {
  reporter: Reporter;
  signal: AbortSignal;
  /** Such as a file name pattern. */
  jestArguments: readonly string[];
}): Promise<number> {
  const { reporter, signal, jestArguments } = options;
  const infrastructure = await provideTestInfrastructure({ reporter, signal, needsBrowsers: false, only: 'docker' });
  let tally: Tally;
  try {
    const logs = path.join(infrastructure.folder, 'logs');
    await mkdir(logs, { recursive: true });
    ({ tally } = await runJest([...jestArguments, '--selectProjects', 'component', `--maxWorkers=${WORKERS}`], {
      env: { ...infrastructure.env, NAJWA_TEST_LOGS: logs },
      signal,
      isShown: true,
    }));
  } finally {
    await infrastructure.stop();
  }
  process.stdout.write(`${formatTally(tally)}\n`);
  return tally.failed === 0 && tally.passed > 0 ? 0 : 1;
}
