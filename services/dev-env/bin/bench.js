import { pathToFileURL } from 'node:url';
import { inCheckout, SetupError } from '../src/bootstrap/environment.js';
import { buildWeb, compileServices, installPackages, runCommand } from '../src/bootstrap/prepare.js';

// A running benchmark ignores signals: it is short and cleans up after itself.
await runCommand(
  async ({ reporter, signal }) => {
    const name = process.argv[2] ?? '';
    await installPackages(reporter, signal);
    await compileServices(reporter);
    await buildWeb(reporter, signal);
    const { benchmarks } = await import(pathToFileURL(inCheckout('deploy/bench/dist/index.js')));
    if (!Object.hasOwn(benchmarks, name))
      throw new SetupError(`Unknown benchmark "${name}". Choose one of ${Object.keys(benchmarks).join(', ')}.`);
    reporter.say(`Benchmark: ${name}`);
    const result = await benchmarks[name]();
    signal.throwIfAborted();
    process.stdout.write(`${JSON.stringify(result)}\n`);
    return 0;
  },
  { statusWhenStopped: 130 },
);
