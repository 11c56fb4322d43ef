import { pathToFileURL } from 'node:url';
import { inCheckout } from '../../dev/src/bootstrap/environment.js';
import { buildWeb, compileServices, installPackages, runCommand } from '../../dev/src/bootstrap/prepare.js';

const STATUS_WHEN_STOPPED = 130;

await runCommand(
  async ({ reporter, signal }) => {
    const names = process.argv.slice(2).filter((argument) => argument !== '--smoke');
    await installPackages(reporter, signal);
    await compileServices(reporter);
    await buildWeb(reporter, signal);
    const { runBenchmarks } = await import(pathToFileURL(inCheckout('deploy/bench/dist/index.js')));
    signal.throwIfAborted();
    // Everything that it starts ends with this process.
    const stop = () => process.exit(STATUS_WHEN_STOPPED);
    signal.addEventListener('abort', stop);
    try {
      return await runBenchmarks(names, { reporter, signal });
    } finally {
      // An error aborts the signal as well, and must be told.
      signal.removeEventListener('abort', stop);
    }
  },
  { statusWhenStopped: STATUS_WHEN_STOPPED },
);
// Whatever a benchmark that failed left open must not keep it.
process.stdout.write('', () => process.exit());
