import { pathToFileURL } from 'node:url';
import { inRoot, SetupFault } from './lib/checkout.js';
import { buildWeb, checkNode, compileServices, installPackages } from './lib/prepare.js';
import { createReporter } from './lib/reporter.js';

async function main() {
  const reporter = createReporter();
  const stopping = new AbortController();
  // A benchmark that runs when they come is short, and ends by itself with all that it started.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => stopping.abort());
  const { signal } = stopping;
  const name = process.argv[2] ?? '';
  try {
    checkNode(reporter);
    await installPackages(reporter, signal);
    await compileServices(reporter, signal);
    await buildWeb(reporter, signal);
    const { benchmarks } = await import(pathToFileURL(inRoot('deploy/bench/dist/index.js')));
    if (!Object.hasOwn(benchmarks, name))
      throw new SetupFault(`There is no benchmark "${name}", only ${Object.keys(benchmarks).join(', ')}.`);
    reporter.say(`Benchmark: ${name}`);
    const result = await benchmarks[name]();
    signal.throwIfAborted();
    process.stdout.write(`${JSON.stringify(result)}\n`);
    return 0;
  } catch (error) {
    if (signal.aborted) return 130;
    if (!(error instanceof SetupFault)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}

process.exitCode = await main();
