import type { Logger } from './logger.js';

export interface Sweeper {
  start(): void;
  /** Waits for the current sweep. */
  stop(): Promise<void>;
}

const INTERVAL_MS = 5 * 60 * 1000;

/** Runs a sweep at once and then at intervals, one at a time. Safe for concurrent replicas. */
export function createSweeper(sweep: (now: Date) => Promise<void>, logger: Logger): Sweeper {
  let timer: NodeJS.Timeout | undefined;
  let sweeping: Promise<void> | undefined;

  const run = (): void => {
    sweeping ??= sweep(new Date())
      .catch((error: unknown) => logger.warn({ err: error }, 'sweep failed'))
      .finally(() => (sweeping = undefined));
  };

  return {
    start() {
      timer = setInterval(run, INTERVAL_MS);
      run();
    },
    async stop() {
      clearInterval(timer);
      await sweeping;
    },
  };
}
