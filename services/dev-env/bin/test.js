import { buildWeb, compileServices, installPackages, runCommand } from '../src/bootstrap/prepare.js';

await runCommand(
  async ({ reporter, signal }) => {
    const jestArguments = process.argv.slice(2);
    await installPackages(reporter, signal);
    await compileServices(reporter);
    if (jestArguments.length === 0) await buildWeb(reporter, signal);
    const { test } = await import('../dist/cli/test.js');
    return test({ reporter, signal, jestArguments });
  },
  { statusWhenStopped: 130 },
);
