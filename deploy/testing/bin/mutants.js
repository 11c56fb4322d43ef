import { compileServices, installPackages, runCommand } from '../../dev/src/bootstrap/prepare.js';

const args = process.argv.slice(2);

await runCommand(
  async ({ reporter, signal }) => {
    await installPackages(reporter, signal);
    await compileServices(reporter);
    const { checkFaults, findUncaught } = await import('../dist/mutants/index.js');
    const { buildMatrix, printMatrix } = await import('../dist/mutants/matrix.js');
    const [first, ...projects] = args;
    if (first === '--check') return checkFaults(reporter);
    if (first === '--summary') return printMatrix();
    if (first === '--matrix') return buildMatrix({ reporter, signal, projects });
    return findUncaught({ reporter, signal, patterns: args });
  },
  { statusWhenStopped: 130, needsInfrastructure: !['--check', '--summary'].includes(args[0]) },
);
