import { compileServices, installPackages, runCommand } from '../src/bootstrap/prepare.js';

await runCommand(
  async ({ reporter, signal }) => {
    await installPackages(reporter, signal);
    await compileServices(reporter);
    const { runDoctor } = await import('@najwa/media/doctor');
    const command = { environment: process.env, args: process.argv.slice(2), writeLine: reporter.say, signal };
    return runDoctor({ ...command, step: reporter.step });
  },
  { statusWhenStopped: 1, needsInfrastructure: false },
);
// A hanging server may keep a connection open.
process.exit();
