import type { Logger } from '@najwa/common/logging';

/** Does jobs that are due. A store gives each one to one replica, under a lease. */
export interface LeasedWorker {
  start(): void;
  /** Looks for jobs that are due. */
  notify(): void;
  /** Waits for what is under way. */
  stop(): Promise<void>;
}

export interface LeasedWorkerOptions<Job> {
  /** Other replicas and restarts leave jobs behind. */
  pollMs: number;
  /**
   * Takes jobs that are due. None ends the search until the next one.
   * @param running jobs under way in this process
   */
  take: (running: number) => Promise<Job[]>;
  /** @param stopping the process ends, and others may go on */
  run: (job: Job, stopping: AbortSignal) => Promise<void>;
  logger: Logger;
  /** Name of the jobs, for the log. */
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
      // Once its lease is over, the job is taken again.
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
