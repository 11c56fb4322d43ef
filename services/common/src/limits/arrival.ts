import { AppError } from '../errors/errors.js';

/** Minimum arrival rate of a body. Only time spent waiting for the sender counts. */
export interface ArrivalRules {
  /** Average over the whole body, checked after the grace period. */
  minBytesPerSecond: number;
  graceMs: number;
  /** The longest pause between two pieces. */
  maxPauseMs: number;
}

/** Below the speed of any phone network that can load the page. */
const DEFAULT_RULES: ArrivalRules = { minBytesPerSecond: 2_000, graceMs: 10_000, maxPauseMs: 10_000 };

/** The error for a body that arrives too slowly. */
export const tooSlow = (): AppError =>
  new AppError({ code: 'request_timeout', message: 'The request arrived too slowly.' });

/** Decides whether a body arrives fast enough. */
export class ArrivalMeter {
  #received = 0;
  #startedAt = performance.now();
  #lastPieceAt = this.#startedAt;

  constructor(private readonly rules: ArrivalRules) {}

  /** @returns bytes received so far */
  add(bytes: number): number {
    this.#received += bytes;
    this.#lastPieceAt = performance.now();
    return this.#received;
  }

  /** Average over the whole body so far. Undefined before the grace period is over. */
  bytesPerSecond(): number | undefined {
    const elapsedMs = performance.now() - this.#startedAt;
    return elapsedMs < this.rules.graceMs ? undefined : (this.#received / elapsedMs) * 1_000;
  }

  /** Leaves out a stretch of time in which the reader was busy. */
  excuse(ms: number): void {
    this.#startedAt += ms;
    this.#lastPieceAt = performance.now();
  }

  /** @returns milliseconds for which the sender may stay silent now; not above 0 if it is too slow */
  remainingMs(): number {
    const { minBytesPerSecond, graceMs, maxPauseMs } = this.rules;
    const allowedMs = Math.max(graceMs, (this.#received / minBytesPerSecond) * 1_000);
    return Math.min(this.#startedAt + allowedMs, this.#lastPieceAt + maxPauseMs) - performance.now();
  }
}

/**
 * Passes chunks on, and fails if they arrive too slowly, so that a stalled upload frees its slot.
 * @throws {AppError} `request_timeout`, and errors of the source
 */
export async function* withMinimumRate<Chunk extends { length: number }>(
  chunks: AsyncIterable<Chunk>,
  rules: ArrivalRules = DEFAULT_RULES,
): AsyncGenerator<Chunk, void, undefined> {
  const iterator = chunks[Symbol.asyncIterator]();
  const meter = new ArrivalMeter(rules);
  try {
    for (;;) {
      const next: IteratorResult<Chunk, unknown> = await within(meter.remainingMs(), iterator.next());
      if (next.done === true) return;
      meter.add(next.value.length);
      const passedOnAt = performance.now();
      yield next.value;
      meter.excuse(performance.now() - passedOnAt);
    }
  } finally {
    // Do not await: a generator ends only after its pending read, which may never complete.
    void iterator.return?.().catch(() => undefined);
  }
}

async function within<T>(milliseconds: number, next: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(tooSlow()), Math.max(0, milliseconds));
  });
  try {
    return await Promise.race([next, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
