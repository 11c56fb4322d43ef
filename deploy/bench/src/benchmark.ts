import { isSmoke } from '@najwa/dev/bootstrap/smoke';
import type { Reporter, Step } from '@najwa/dev/reporter';
import {
  COLLECT_ON_SIGNAL,
  startTestSystem,
  WATCH_LOOP,
  type TestAccount,
  type TestSystem,
  type TestSystemOptions,
} from '@najwa/testing';
import type { Needs } from './needs.js';
import type { BenchResult } from './result.js';

export interface Frame {
  reporter: Reporter;
  /** Shows the current activity. */
  step: Step;
}

/** Measures a system started for it, or shared in a smoke. */
export interface SystemBenchmark {
  /** Before the system starts. @throws {SetupError} if a tool is missing */
  needs: () => Needs | Promise<Needs>;
  run(frame: Frame & { system: TestSystem; env: Readonly<Record<string, string>> }): Promise<BenchResult>;
}

/** Starts what it measures. */
export interface OtherBenchmark {
  run(frame: Frame): Promise<BenchResult>;
}

export type Benchmark = SystemBenchmark | OtherBenchmark;

export const isOnSystem = (benchmark: Benchmark): benchmark is SystemBenchmark => 'needs' in benchmark;

export const optionsFor = ({ env = {}, ownParts = [], collects, watchesLoops }: Needs): TestSystemOptions => ({
  env,
  ownParts: isSmoke ? [] : ownParts,
  overrides: { nodeOptions: [...(collects ? COLLECT_ON_SIGNAL : []), ...(watchesLoops ? WATCH_LOOP : [])] },
});

/** On its own system if it needs one. */
export async function runAlone(benchmark: Benchmark, frame: Frame): Promise<BenchResult> {
  if (!isOnSystem(benchmark)) return benchmark.run(frame);
  const { reporter, step } = frame;
  step.doing('preparing');
  const needs = await benchmark.needs();
  step.doing('starting the system');
  const system = await startTestSystem({ ...optionsFor(needs), reporter });
  try {
    return await benchmark.run({ ...frame, system, env: needs.env ?? {} });
  } finally {
    step.doing('stopping the system');
    await system.stop();
  }
}

const REGISTERED_AT_ONCE = 8;

export async function newAccounts(system: TestSystem, count: number): Promise<TestAccount[]> {
  const accounts: TestAccount[] = [];
  while (accounts.length < count) {
    const length = Math.min(REGISTERED_AT_ONCE, count - accounts.length);
    accounts.push(...(await Promise.all(Array.from({ length }, () => system.newAccount()))));
  }
  return accounts;
}
