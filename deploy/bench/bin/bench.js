import { pathToFileURL } from 'node:url';
import { inCheckout } from '../../dev/src/bootstrap/environment.js';
import { buildWeb, compileServices, installPackages, runCommand } from '../../dev/src/bootstrap/prepare.js';

const STATUS_WHEN_STOPPED = 130;

await runCommand(
  async ({ reporter, signal }) => {
    const names = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
    await installPackages(reporter, signal);
    await compileServices(reporter);
    await buildWeb(reporter, signal);
    const { runBenchmarks } = await import(pathToFileURL(inCheckout('deploy/bench/dist/index.js')));
    signal.throwIfAborted();
    // Its children end with it.
    const stop = () => process.exit(STATUS_WHEN_STOPPED);
    signal.addEventListener('abort', stop);
    try {
      return await runBenchmarks(names, { reporter, signal });
    } finally {
      // An error also aborts the signal, and must be reported.
      signal.removeEventListener('abort', stop);
    }
  },
  { statusWhenStopped: STATUS_WHEN_STOPPED },
);
// A failed benchmark may have left something open.
process.stdout.write('', () => process.exit());
