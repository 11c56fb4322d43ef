import { pathToFileURL } from 'node:url';
import { inCheckout, SetupError } from '../src/bootstrap/environment.js';
import { buildWeb, compileServices, installPackages, runCommand } from '../src/bootstrap/prepare.js';

const STATUS_WHEN_STOPPED = 130;

await runCommand(
  async ({ reporter, signal }) => {
    const name = process.argv[2] ?? '';
    await installPackages(reporter, signal);
    await compileServices(reporter);
    await buildWeb(reporter, signal);
    const { benchmarks } = await import(pathToFileURL(inCheckout('deploy/bench/dist/index.js')));
    if (!Object.hasOwn(benchmarks, name))
      throw new SetupError(`Unknown benchmark "${name}". Choose one of ${Object.keys(benchmarks).join(', ')}.`);
    signal.throwIfAborted();
    // Everything that it starts ends with this process.
    signal.addEventListener('abort', () => process.exit(STATUS_WHEN_STOPPED));
    reporter.say(`Benchmark: ${name}`);
    const result = await benchmarks[name]();
    process.stdout.write(`${JSON.stringify(result)}\n`);
    return 0;
  },
  { statusWhenStopped: STATUS_WHEN_STOPPED },
);
