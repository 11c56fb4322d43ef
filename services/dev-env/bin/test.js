import { readdir } from 'node:fs/promises';
import { inRoot, SetupFault } from './lib/checkout.js';
import { command, npm } from './lib/command.js';
import { buildWeb, checkNode, compileServices, installPackages } from './lib/prepare.js';
import { createReporter } from './lib/reporter.js';

/** The projects of the tests, which compile the sources as well. */
async function testProjects() {
  const services = await readdir(inRoot('services'));
  const candidates = ['proto', ...services.map((name) => `services/${name}`), 'web', 'deploy/bench'];
  const found = await Promise.all(
    candidates.map(async (folder) =>
      (await readdir(inRoot(folder)).catch(() => [])).includes('tsconfig.tests.json')
        ? `${folder}/tsconfig.tests.json`
        : undefined,
    ),
  );
  return found.filter(Boolean);
}

async function main() {
  const reporter = createReporter();
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => stopping.abort());
  const { signal } = stopping;
  const jestArguments = process.argv.slice(2);
  const tsc = inRoot('node_modules/typescript/bin/tsc');
  try {
    checkNode(reporter);
    await installPackages(reporter, signal);
    const types = {
      name: 'types',
      run: async () =>
        command('Checking the types', process.execPath, [tsc, '--build', 'tsconfig.json', ...(await testProjects())], {
          signal,
        }),
    };
    const checks = [
      types,
      {
        name: 'format',
        run: () =>
          npm('Checking the format', ['exec', '--', 'prettier', '--check', '--log-level', 'warn', '.'], { signal }),
      },
      { name: 'lint', run: () => npm('Linting', ['run', '--silent', 'lint'], { signal }) },
      {
        name: 'contracts',
        run: () => npm('Checking the contracts', ['run', '--silent', 'check', '--workspace', 'proto'], { signal }),
      },
    ];
    // A faulty type does not keep the compiler from writing, and is reported as a failed check.
    await compileServices(reporter, signal).catch((error) => {
      if (signal.aborted || !(error instanceof SetupFault)) throw error;
    });
    await buildWeb(reporter, signal);
    const { test } = await import('../dist/cli/test.js');
    return await test({ reporter, signal, checks: jestArguments.length > 0 ? [] : checks, jestArguments });
  } catch (error) {
    if (signal.aborted) return 130;
    if (!(error instanceof SetupFault)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}

process.exitCode = await main();
