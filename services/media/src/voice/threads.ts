import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import { withSpan } from '@najwa/common/tracing';
import type { ConversionTask, DisguisedVoice, LevelledSound, MeasureResult, PreparedVoice } from '@najwa/proto/voice';
import { Piscina } from 'piscina';

/** Runs the steps in worker threads. A long recording takes seconds, which must not block the event loop. */
export interface VoiceThreads {
  /** @param recorded interleaved stereo. It moves to the thread: copying minutes of sound would hold everybody up. */
  prepare(recorded: Float32Array): Promise<PreparedVoice>;
  /** @param recorded interleaved stereo. It moves to the thread. */
  levelOut(recorded: Float32Array): Promise<LevelledSound>;
  /** The samples move to the thread. */
  convert(task: ConversionTask): Promise<DisguisedVoice>;
  measure(pcm: Int16Array): Promise<MeasureResult>;
  close(): Promise<void>;
}

/** The module beside this one, with the same extension: compiled or source. */
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
    // Worker threads need no configuration or secrets.
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
    levelOut: (recorded) => run<LevelledSound>('levelOut', recorded, [recorded.buffer as ArrayBuffer]),
    convert: (task) => run<DisguisedVoice>('convert', task, [task.samples.buffer as ArrayBuffer]),
    measure: (pcm) => run<MeasureResult>('measure', pcm),
    close: () => pool.destroy(),
  };
}
