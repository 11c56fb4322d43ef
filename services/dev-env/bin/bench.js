import { pathToFileURL } from 'node:url';
import { inCheckout, SetupError } from '../src/bootstrap/environment.js';
import { buildWeb, compileServices, installPackages, runCommand } from '../src/bootstrap/prepare.js';

// A benchmark that is running when a signal comes is short: it ends by itself, with all that it started.
await runCommand(
  async ({ reporter, signal }) => {
    const name = process.argv[2] ?? '';
    await installPackages(reporter, signal);
    await compileServices(reporter, signal);
    await buildWeb(reporter, signal);
    const { benchmarks } = await import(pathToFileURL(inCheckout('deploy/bench/dist/index.js')));
    if (!Object.hasOwn(benchmarks, name))
      throw new SetupError(`There is no benchmark "${name}", only ${Object.keys(benchmarks).join(', ')}.`);
    reporter.say(`Benchmark: ${name}`);
    const result = await benchmarks[name]();
    signal.throwIfAborted();
    process.stdout.write(`${JSON.stringify(result)}\n`);
    return 0;
  },
  { statusWhenStopped: 130 },
);
