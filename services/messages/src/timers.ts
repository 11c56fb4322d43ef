import type { Logger } from '@najwa/common/logging';

/** Longer than a sweep's interval. */
export const SCHEDULED_MS = 10 * 60_000;

/** After an error, such as while the database is away. */
const RETRY_MS = 5_000;

/** Best effort: the sweep finds what a stopped process missed. */
export class Timers {
  readonly #timers = new Map<number, NodeJS.Timeout>();

  constructor(
    private readonly finish: () => Promise<void>,
    private readonly logger: Logger,
  ) {}

  schedule(until: Date): void {
    const time = until.getTime();
    const wait = time - Date.now() + 1;
    if (wait > SCHEDULED_MS || this.#timers.has(time)) return;
    const timer = setTimeout(() => {
      this.#timers.delete(time);
      this.finish().catch((error: unknown) => {
        this.logger.warn({ err: error }, 'what was due is not finished, will retry');
        this.schedule(new Date(Date.now() + RETRY_MS));
      });
    }, wait).unref();
    this.#timers.set(time, timer);
  }
  stop(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }
}
