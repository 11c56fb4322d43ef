import type { Logger } from '@najwa/common/logging';

/** The store leases each job to one replica. */
export interface LeasedWorker {
  start(): void;
  notify(): void;
  stop(): Promise<void>;
}

export interface LeasedWorkerOptions<Job> {
  /** For jobs left by other processes. */
  pollMs: number;
  /**
   * Takes due jobs; none ends the search.
   * @param running jobs in this process
   */
  take: (running: number) => Promise<Job[]>;
  /** @param stopping aborted at shutdown; another replica may continue */
  run: (job: Job, stopping: AbortSignal) => Promise<void>;
  logger: Logger;
  name: string;
}

export function createLeasedWorker<Job>({ pollMs, take, run, logger, name }: LeasedWorkerOptions<Job>): LeasedWorker {
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let lookAgain = false;

  const begin = (job: Job): void => {
    const task = run(job, stopping.signal)
      // The job is retaken after its lease.
      .catch((error: unknown) => logger.warn({ err: error }, `${name} not settled`))
      .finally(() => {
        running.delete(task);
        look();
      });
    running.add(task);
  };

  const isStopping = (): boolean => stopping.signal.aborted;

  const takeDue = async (): Promise<void> => {
    while (lookAgain && !isStopping()) {
      lookAgain = false;
      for (let jobs = await take(running.size); jobs.length > 0; jobs = await take(running.size)) {
        jobs.forEach(begin);
        if (isStopping()) return;
      }
    }
  };

  function look(): void {
    lookAgain = true;
    if (isStopping()) return;
    looking ??= takeDue()
      .catch((error: unknown) => logger.warn({ err: error }, `${name} not read`))
      .finally(() => {
        looking = undefined;
        if (lookAgain) look();
      });
  }

  return {
    start() {
      timer = setInterval(look, pollMs);
      look();
    },
    notify: look,
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await looking;
      await Promise.all(running);
    },
  };
}
