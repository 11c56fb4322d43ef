import { compileServices, installPackages, runCommand } from '../../dev/src/bootstrap/prepare.js';

const args = process.argv.slice(2);

await runCommand(
  async ({ reporter, signal }) => {
    await installPackages(reporter, signal);
    await compileServices(reporter);
    const { checkFaults, findUncaught } = await import('../dist/mutants/index.js');
    return args[0] === '--check' ? checkFaults(reporter) : findUncaught({ reporter, signal, patterns: args });
  },
  { statusWhenStopped: 130, needsInfrastructure: args[0] !== '--check' },
);
