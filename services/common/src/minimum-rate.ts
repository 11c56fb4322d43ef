import { AppError } from './errors.js';

export interface MinimumRate {
  /** Maximum pause of a sender, in milliseconds. Earlier bursts do not extend it. */
  graceMs: number;
  bytesPerSecond: number;
}

/** Below the speed of any phone network that can load the page. */
const DEFAULT_RATE: MinimumRate = { graceMs: 10_000, bytesPerSecond: 2_000 };

/**
 * Passes chunks on, and fails if they arrive too slowly, so that a stalled upload frees its slot. Only time spent
 * waiting for the sender counts.
 * @throws {AppError} `request_timeout`, and errors of the source
 */
export async function* withMinimumRate<Chunk extends { length: number }>(
  chunks: AsyncIterable<Chunk>,
  { graceMs, bytesPerSecond }: MinimumRate = DEFAULT_RATE,
): AsyncGenerator<Chunk, void, undefined> {
  const iterator = chunks[Symbol.asyncIterator]();
  let remainingMs = graceMs;
  try {
    for (;;) {
      const begun = performance.now();
      const next: IteratorResult<Chunk, unknown> = await within(remainingMs, iterator.next());
      if (next.done === true) return;
      const earnedMs = (next.value.length / bytesPerSecond) * 1_000 - (performance.now() - begun);
      remainingMs = Math.min(graceMs, remainingMs + earnedMs);
      yield next.value;
    }
  } finally {
    // Do not await: a generator ends only after its pending read, which may never complete.
    void iterator.return?.().catch(() => undefined);
  }
}

async function within<T>(milliseconds: number, next: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new AppError({ code: 'request_timeout', message: 'The request arrived too slowly.' })),
      Math.max(0, milliseconds),
    );
  });
  try {
    return await Promise.race([next, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
