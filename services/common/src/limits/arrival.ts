import { AppError } from '../errors/errors.js';

/** Only time spent waiting for the sender counts. */
export interface ArrivalRules {
  /** Average over the body, after the grace period. */
  minBytesPerSecond: number;
  graceMs: number;
  maxPauseMs: number;
}

/** Below the speed of any phone network that can load the page. */
const DEFAULT_RULES: ArrivalRules = { minBytesPerSecond: 2_000, graceMs: 10_000, maxPauseMs: 10_000 };

export const tooSlow = (): AppError =>
  new AppError({ code: 'request_timeout', message: 'The request arrived too slowly.' });

export class ArrivalMeter {
  #received = 0;
  #startedAt = performance.now();
  #lastPieceAt = this.#startedAt;

  constructor(private readonly rules: ArrivalRules) {}

  add(bytes: number): number {
    this.#received += bytes;
    this.#lastPieceAt = performance.now();
    return this.#received;
  }

  bytesPerSecond(): number | undefined {
    const elapsedMs = performance.now() - this.#startedAt;
    return elapsedMs < this.rules.graceMs ? undefined : (this.#received / elapsedMs) * 1_000;
  }

  excuse(ms: number): void {
    this.#startedAt += ms;
    this.#lastPieceAt = performance.now();
  }

  /** @returns milliseconds left for the next piece; not above 0 if too slow */
  remainingMs(): number {
    const { minBytesPerSecond, graceMs, maxPauseMs } = this.rules;
    const allowedMs = Math.max(graceMs, (this.#received / minBytesPerSecond) * 1_000);
    return Math.min(this.#startedAt + allowedMs, this.#lastPieceAt + maxPauseMs) - performance.now();
  }
}

/**
 * Fails if chunks arrive too slowly, so that a stalled upload frees its slot.
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
    // Not awaited: the generator ends after its pending read, which may never complete.
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
