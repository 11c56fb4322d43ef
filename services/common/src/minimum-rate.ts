import { AppError } from './errors.js';

export interface MinimumRate {
  /** How long a sender may be silent. A burst of bytes does not buy a longer silence. */
  graceMs: number;
  bytesPerSecond: number;
}

/** Slower than any phone network that can load the page. */
const DEFAULT_RATE: MinimumRate = { graceMs: 10_000, bytesPerSecond: 2_000 };

/**
 * Passes chunks on as they arrive, and fails when they arrive too slowly, so that a silent upload gives its place back.
 * Counts only the time spent waiting for the sender, not the time that the reader takes.
 * @throws {AppError} `request_timeout`, and what the source throws
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
    // A generator that still waits for its own source ends only after that, so nobody waits for it here.
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
