import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { isGoToolReady, K6 } from '@najwa/dev/bootstrap/go-programs';
import { provideInfrastructure, type Infrastructure } from '@najwa/dev/infrastructure';
import type { Reporter, Step } from '@najwa/dev/reporter';
import { FUZZED, fuzzSystem, installedSchemathesis } from '@najwa/fuzz';
import { makeTestFolder, startTestSystem, type TestSystem } from '@najwa/testing';
import { smokeTest } from '@najwa/testing/load';
import { isOnSystem, optionsFor, type Benchmark, type SystemBenchmark } from './benchmark.js';
import { mergeNeeds, type Needs } from './needs.js';
import { processorSeconds } from './processor-time.js';
import { missingFigures, type BenchResult } from './result.js';

/** Smokes take seconds, minutes with all suites in parallel: longer means a hang. */
const MAX_MS = 900_000;
/** For a failed smoke to end. */
const SETTLE_MS = 3_000;
const SEED = 1;

export interface SmokeOptions {
  reporter: Reporter;
  signal: AbortSignal;
}

/** Commands that act on a system, but are no benchmarks. */
async function otherCommands({ reporter, signal }: SmokeOptions, folder: string) {
  const commands: Record<string, SystemBenchmark> = {};
  if (await isGoToolReady(K6))
    commands['load'] = {
      needs: () => ({}),
      run: async ({ system }) =>
        (await smokeTest({ origin: system.url, adminSecret: system.adminSecret })) as BenchResult,
    };
  else reporter.say('load is left out: k6 is neither installed nor compiled, which takes minutes.');
  const python = await installedSchemathesis();
  // Last: deletes accounts, leaves strange events.
  commands['fuzz'] = {
    needs: () => FUZZED,
    run: async ({ system }) => ({
      ...(await fuzzSystem(system, { reporter, signal, minutes: 0, seed: SEED, python, folder })),
    }),
  };
  return commands;
}

/** Unawaited errors would end the process without naming the smoke. */
function nextLostError(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    for (const event of ['unhandledRejection', 'uncaughtException'] as const) {
      process.on(event, reject);
      signal.addEventListener('abort', () => process.off(event, reject));
    }
  });
}

/** @returns a fault, if any */
async function faultOf(name: string, reporter: Reporter, run: (step: Step) => Promise<BenchResult>) {
  const step = reporter.step(name);
  let activity = 'starting';
  const noting: Step = {
    ...step,
    doing(what) {
      activity = what;
      step.doing(what);
    },
  };
  const over = new AbortController();
  const spent = () => processorSeconds(process.pid) ?? 0;
  const before = spent();
  const running = run(noting);
  try {
    const result = await Promise.race([
      running,
      nextLostError(over.signal),
      delay(MAX_MS, undefined, { signal: over.signal }).then(() => {
        throw new Error(`It did not end in ${MAX_MS / 1000} seconds.`);
      }),
    ]);
    process.stdout.write(`${JSON.stringify(result)}\n`);
    const missing = missingFigures(result);
    if (missing.length > 0) throw new Error(`Figures are missing: ${missing.join(', ')}.`);
    step.done(`passed, ${Math.round(spent() - before)} s of processor time`);
    return undefined;
  } catch (error) {
    step.fail();
    // Its further errors must not count for the next.
    await Promise.race([running.catch(() => undefined), delay(SETTLE_MS)]);
    return `${name}, while ${activity}: ${error instanceof Error ? error.message : String(error)}`;
  } finally {
    over.abort();
  }
}

/**
 * Shared systems first.
 * @returns the exit status
 */
export async function runSmokes(
  benchmarks: Readonly<Record<string, Benchmark>>,
  options: SmokeOptions,
): Promise<number> {
  const { reporter, signal } = options;
  const faults: string[] = [];
  const note = (fault: string | undefined): void => void (fault !== undefined && faults.push(fault));
  const folder = await makeTestFolder('najwa-smokes-');
  let infrastructure: Infrastructure | undefined;
  let system: TestSystem | undefined;
  try {
    const basics = { dataDir: folder, reporter, signal };
    infrastructure = await provideInfrastructure({ ...basics, persistent: false, syncsToDisk: false });
    // For all that follows.
    Object.assign(process.env, infrastructure.env);
    const onSystem = { ...benchmarks, ...(await otherCommands(options, folder)) };
    const needs = new Map<string, Needs>();
    for (const [name, benchmark] of Object.entries(onSystem))
      if (isOnSystem(benchmark)) needs.set(name, await benchmark.needs());
    const shared = await startTestSystem({ ...optionsFor(mergeNeeds(needs)), reporter });
    system = shared;
    for (const [name, benchmark] of Object.entries(onSystem))
      if (isOnSystem(benchmark)) {
        const env = needs.get(name)?.env ?? {};
        note(await faultOf(name, reporter, (step) => benchmark.run({ reporter, step, system: shared, env })));
      }
    await system.stop();
    system = undefined;
    for (const [name, benchmark] of Object.entries(benchmarks))
      if (!isOnSystem(benchmark)) note(await faultOf(name, reporter, (step) => benchmark.run({ reporter, step })));
  } finally {
    await system?.stop();
    await infrastructure?.stop();
    await rm(folder, { recursive: true, force: true });
  }
  for (const fault of faults) process.stderr.write(`The smoke failed of ${fault}\n`);
  return faults.length === 0 ? 0 : 1;
}
