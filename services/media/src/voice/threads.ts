import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import { withSpan } from '@najwa/common/tracing';
import type { AlteredSound, PreparedVoice } from '@najwa/proto/voice';
import { Piscina } from 'piscina';
import type { Alteration, KeptSound } from './steps.js';

/** A long recording takes seconds, which must not block the event loop. */
export interface VoiceThreads {
  /** @param recorded interleaved stereo, transferred: copying minutes of sound would block */
  prepare(recorded: Float32Array): Promise<PreparedVoice>;
  alter(task: Alteration): Promise<AlteredSound>;
  /** @param recorded interleaved stereo, transferred */
  keep(recorded: Float32Array): Promise<KeptSound>;
  close(): Promise<void>;
}

/** Compiled or source. */
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
    // Keeps secrets out of the threads.
    env: {},
  });
  const run = async <Result>(
    name: keyof typeof import('./steps.js'),
    task: unknown,
    transferList: ArrayBuffer[] = [],
  ): Promise<Result> =>
    (await withSpan(`voice ${name}`, () =>
      pool.run(task, { name, transferList, signal: AbortSignal.timeout(TASK_TIMEOUT_MS) }),
    )) as Result;

  return {
    prepare: (recorded) => run<PreparedVoice>('prepare', recorded, [recorded.buffer as ArrayBuffer]),
    alter: (task) => run<AlteredSound>('alter', task, [task.samples.buffer as ArrayBuffer]),
    keep: (recorded) => run<KeptSound>('keep', recorded, [recorded.buffer as ArrayBuffer]),
    close: () => pool.destroy(),
  };
}
