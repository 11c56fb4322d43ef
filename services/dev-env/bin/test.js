import { readdir } from 'node:fs/promises';
import { inCheckout, SetupError } from '../src/bootstrap/environment.js';
import { buildWeb, compileServices, installPackages, runCommand } from '../src/bootstrap/prepare.js';
import { command, npm } from '../src/bootstrap/processes.js';

/** The projects of the tests, which compile the sources as well. */
async function testProjects() {
  const services = await readdir(inCheckout('services'));
  const candidates = ['proto', ...services.map((name) => `services/${name}`), 'web', 'deploy/bench'];
  const found = await Promise.all(
    candidates.map(async (folder) =>
      (await readdir(inCheckout(folder)).catch(() => [])).includes('tsconfig.tests.json')
        ? `${folder}/tsconfig.tests.json`
        : undefined,
    ),
  );
  return found.filter(Boolean);
}

await runCommand(
  async ({ reporter, signal }) => {
    const jestArguments = process.argv.slice(2);
    const tsc = inCheckout('node_modules/typescript/bin/tsc');
    await installPackages(reporter, signal);
    const check = (name, run) => ({ name, run });
    const eslint = (...files) => npm('Linting', ['exec', '--', 'eslint', '--max-warnings', '0', ...files], { signal });
    // Longest checks first. The linter builds separate type programs for the services and the web, so both are linted
    // in parallel.
    const checks = [
      check('types', async () =>
        command('Checking the types', process.execPath, [tsc, '--build', 'tsconfig.json', ...(await testProjects())], {
          signal,
        }),
      ),
      check('lint of the services', () => eslint('.', '--ignore-pattern', 'web/**')),
      check('lint of the web client', () => eslint('web')),
      check('format', () =>
        npm('Checking the format', ['exec', '--', 'prettier', '--check', '--cache', '--log-level', 'warn', '.'], {
          signal,
        }),
      ),
      check('contracts', () =>
        npm('Checking the contracts', ['run', '--silent', 'check', '--workspace', 'proto'], { signal }),
      ),
    ];
    // tsc writes output despite type errors. The type check reports them.
    await compileServices(reporter, signal).catch((error) => {
      if (signal.aborted || !(error instanceof SetupError)) throw error;
    });
    if (jestArguments.length === 0) await buildWeb(reporter, signal);
    const { test } = await import('../dist/cli/test.js');
    return test({ reporter, signal, checks, jestArguments });
  },
  { statusWhenStopped: 130 },
);
