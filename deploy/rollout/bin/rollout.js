import { SetupError } from '../../dev/src/bootstrap/environment.js';
import { buildWeb, compileServices, installPackages, runCommand } from '../../dev/src/bootstrap/prepare.js';

await runCommand(
  async ({ reporter, signal }) => {
    const ref = process.argv[2];
    if (!ref) throw new SetupError('Usage: npm run test:rollout -- REF, for example origin/main or messages/v1.4.0');
    await installPackages(reporter, signal);
    await compileServices(reporter, signal);
    await buildWeb(reporter, signal);
    const { testRollout } = await import('../dist/rollout.js');
    return testRollout({ reporter, signal, ref });
  },
  { statusWhenStopped: 130 },
);
