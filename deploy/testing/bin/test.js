import { constants, setPriority } from 'node:os';
import { compileServices, installPackages, runCommand } from '../../dev/src/bootstrap/prepare.js';

// Pictures and voices have this one: beside tests of a higher one they would not be done in time.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

await runCommand(
  async ({ reporter, signal }) => {
    await installPackages(reporter, signal);
    await compileServices(reporter);
    const { test } = await import('../dist/runner/test.js');
    return test({ reporter, signal, args: process.argv.slice(2) });
  },
  { statusWhenStopped: 130 },
);
