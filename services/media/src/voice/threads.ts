import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import { withSpan } from '@najwa/common/tracing';
import type { AlteredSound, PreparedVoice } from '@najwa/proto/voice';
import { Piscina } from 'piscina';
import type { Alteration, KeptSound } from './steps.js';

/** Compiled or source. */
const STEPS = new URL(`./steps${extname(import.meta.url)}`, import.meta.url);

const TASK_TIMEOUT_MS = 30_000;
const HEAP_MEGABYTES = 256;

/** A long recording takes seconds, which must not block the event loop. */
export class VoiceThreads {
  readonly #pool = new Piscina({
    filename: STEPS.href,
    minThreads: 0,
    maxThreads: availableParallelism(),
    idleTimeout: TASK_TIMEOUT_MS,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES },
    // Keeps secrets out of the threads.
    env: {},
  });

  /** @param recorded interleaved stereo, transferred: copying minutes of sound would block */
  prepare(recorded: Float32Array): Promise<PreparedVoice> {
    return this.#run('prepare', recorded, recorded);
  }
  alter(task: Alteration): Promise<AlteredSound> {
    return this.#run('alter', task, task.samples);
  }
  keep(recorded: Float32Array): Promise<KeptSound> {
    return this.#run('keep', recorded, recorded);
  }
  close(): Promise<void> {
    return this.#pool.destroy();
  }

  async #run<Result>(name: keyof typeof import('./steps.js'), task: unknown, sound: Float32Array): Promise<Result> {
    const transferList = [sound.buffer as ArrayBuffer];
    return (await withSpan(`voice ${name}`, () =>
      this.#pool.run(task, { name, transferList, signal: AbortSignal.timeout(TASK_TIMEOUT_MS) }),
    )) as Result;
  }
}
