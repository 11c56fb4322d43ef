import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { inCheckout } from '@najwa/dev/bootstrap/environment';
import { command, outputOf } from '@najwa/dev/bootstrap/processes';
import { writeComposeSecrets } from '@najwa/dev/bootstrap/secret-files';
import { freePort } from '@najwa/dev/processes/ports';
import { openSupervisor } from '@najwa/dev/processes/supervisor';
import type { Reporter } from '@najwa/dev/reporter';
import { createCheckRunner } from './check-runner.js';
import { testRunningSystem } from './running-system-suites.js';

export interface ComposeTestOptions {
  reporter: Reporter;
  signal: AbortSignal;
}

const SUITES = [
  { name: 'the stack', args: ['--selectProjects', 'compose'] },
  { name: 'the browser', args: ['--selectProjects', 'browser'] },
] as const;

/** Without limits, on a free port. */
async function writeVariables(file: string): Promise<Record<string, string | undefined>> {
  await writeComposeSecrets(file);
  const text = (await readFile(file, 'utf8'))
    .replace(/^PORT=.*$/m, `PORT=${await freePort()}`)
    .replace(/^DOOR=.*$/m, 'DOOR=10.211.78')
    .replace(/^RATE_LIMIT_SCALE=.*$/m, 'RATE_LIMIT_SCALE=0');
  await writeFile(file, text);
  return parseEnv(text);
}

/**
 * Builds the images, starts a new project, runs suites against it, and removes it with its volumes.
 * @returns the exit status
 */
export async function testCompose({ reporter, signal }: ComposeTestOptions): Promise<number> {
  const folder = await mkdtemp(path.join(tmpdir(), 'najwa-compose-'));
  const supervisor = await openSupervisor(path.join(folder, 'data'), { temporary: true });
  const checks = createCheckRunner(reporter, signal);
  const variables = path.join(folder, 'variables');
  const project = path.basename(folder).toLowerCase();
  const argumentsFor = (name: string): string[] => [
    ...['compose', '--file', inCheckout('docker-compose.yml'), '--project-name', name],
    ...['--env-file', variables],
  ];
  const compose = argumentsFor(project);
  // For a restore.
  const second = argumentsFor(`${project}-2`);

  try {
    const { PORT = '', ADMIN_SECRET = '' } = await writeVariables(variables);
    const isBuilt = await checks.check('Images', async (step) => {
      step.doing('building');
      await command('Building the images', process.execPath, [inCheckout('deploy/images/build.js')], { signal });
      return 'built';
    });
    const start = async (): Promise<string> => {
      const startedAt = performance.now();
      try {
        const up = [...compose, 'up', '--detach', '--no-build', '--wait'];
        await command('Starting the project', 'docker', up, { signal });
      } catch (error) {
        process.stderr.write((await outputOf('docker', [...compose, 'logs', '--tail', '10'])) ?? '');
        throw error;
      }
      return `healthy from nothing in ${Math.round((performance.now() - startedAt) / 1000)} s`;
    };
    if (isBuilt && (await checks.check('Compose', start))) {
      const env = { NAJWA_COMPOSE_SECOND: JSON.stringify(second), NAJWA_COMPOSE_VARIABLES: variables };
      const running = { url: `http://localhost:${PORT}`, adminSecret: ADMIN_SECRET, compose };
      checks.add(await testRunningSystem(SUITES, { running, folder, supervisor, reporter, signal, env }));
    }
  } finally {
    for (const started of [second, compose])
      await command('Removing the project', 'docker', [...started, 'down', '--volumes', '--timeout', '5']).catch(
        (error: unknown) => process.stderr.write(`${String(error)}\n`),
      );
    await supervisor.release();
    await rm(folder, { recursive: true, force: true });
  }
  return checks.finish();
}
