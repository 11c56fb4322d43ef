import type { Logger } from '@najwa/common/logging';

/** The store leases each job to one replica. */
export abstract class LeasedWorker<Job> {
  readonly #name;
  readonly #pollMs;
  readonly #logger;
  readonly #stopping = new AbortController();
  readonly #running = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #lookAgain = false;

  /** @param pollMs for jobs left by other processes */
  constructor(name: string, pollMs: number, logger: Logger) {
    this.#name = name;
    this.#pollMs = pollMs;
    this.#logger = logger;
  }

  /**
   * Takes due jobs; none ends the search.
   * @param running jobs in this process
   */
  protected abstract take(running: number): Promise<Job[]>;
  /** @param stopping aborted at shutdown; another replica may continue */
  protected abstract run(job: Job, stopping: AbortSignal): Promise<void>;

  start(): void {
    this.#timer = setInterval(() => this.notify(), this.#pollMs);
    this.notify();
  }
  notify(): void {
    this.#lookAgain = true;
    if (this.#isStopping()) return;
    this.#looking ??= this.#takeDue()
      .catch((error: unknown) => this.#logger.warn({ err: error }, `${this.#name} not read`))
      .finally(() => {
        this.#looking = undefined;
        if (this.#lookAgain) this.notify();
      });
  }
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopping.abort();
    await this.#looking;
    await Promise.all(this.#running);
  }

  #begin(job: Job): void {
    const task = this.run(job, this.#stopping.signal)
      // The job is retaken after its lease.
      .catch((error: unknown) => this.#logger.warn({ err: error }, `${this.#name} not settled`))
      .finally(() => {
        this.#running.delete(task);
        this.notify();
      });
    this.#running.add(task);
  }
  #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }
  async #takeDue(): Promise<void> {
    const take = () => this.take(this.#running.size);
    while (this.#lookAgain && !this.#isStopping()) {
      this.#lookAgain = false;
      for (let jobs = await take(); jobs.length > 0; jobs = await take()) {
        for (const job of jobs) this.#begin(job);
        if (this.#isStopping()) return;
      }
    }
  }
}
