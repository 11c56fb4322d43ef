import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import { Piscina } from 'piscina';
import type { BendResult, BendTask, MeasureResult } from './steps.js';

/** The steps in threads of their own: the longest recording keeps one busy for seconds, in which nobody else should wait. */
export interface VoiceThreads {
  bend(task: BendTask): Promise<BendResult>;
  measure(pcm: Int16Array): Promise<MeasureResult>;
  close(): Promise<void>;
}

/** The file beside this one: compiled if this one is compiled, else its source. */
const STEPS = new URL(`./steps${extname(import.meta.url)}`, import.meta.url);

const TASK_TIMEOUT_MS = 30_000;
const HEAP_MEGABYTES = 256;

export function createVoiceThreads(): VoiceThreads {
  const pool = new Piscina({
    filename: STEPS.href,
    minThreads: 0,
    maxThreads: availableParallelism(),
    idleTimeout: TASK_TIMEOUT_MS,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES },
    // A thread needs none of what the environment tells the service.
    env: {},
  });
  const run = async <Result>(name: keyof typeof import('./steps.js'), task: unknown): Promise<Result> =>
    (await pool.run(task, { name, signal: AbortSignal.timeout(TASK_TIMEOUT_MS) })) as Result;

  return {
    bend: (task) => run<BendResult>('bend', task),
    measure: (pcm) => run<MeasureResult>('measure', pcm),
    close: () => pool.destroy(),
  };
}
