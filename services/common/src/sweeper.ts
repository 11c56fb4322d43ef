import type { Logger } from './logger.js';

export interface Sweeper {
  start(): void;
  /** Lets the sweep under way finish. */
  stop(): Promise<void>;
}

const INTERVAL_MS = 5 * 60 * 1000;

/** Sweeps at once and then at intervals, one sweep at a time. Several replicas may do so side by side. */
export function createSweeper(sweep: (now: Date) => Promise<void>, logger: Logger): Sweeper {
  let timer: NodeJS.Timeout | undefined;
  let sweeping: Promise<void> | undefined;

  const run = (): void => {
    sweeping ??= sweep(new Date())
      .catch((error: unknown) => logger.warn({ err: error }, 'sweep not finished'))
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
