import type { Connection } from 'mongoose';
import type { Logger } from '../logging/logger.js';
import type { Metrics } from '../metrics/metrics.js';

/** The time by which data is removed. */
export interface SweepClock {
  /** The database's time, which all replicas share. Null if this process has another one: then nothing is to be removed. */
  now(): Promise<Date | null>;
}

interface SweepClockOptions {
  connection: Connection;
  /** The clock of this process. */
  own?: (() => Date) | undefined;
  logger: Logger;
  metrics: Metrics;
}

const MAX_SKEW_MS = 2 * 60 * 1000;

/** How far the clocks of two replicas may be apart while both remove data. */
export const MAX_REPLICA_SKEW_MS = 2 * MAX_SKEW_MS;

/**
 * Removal trusts no single clock. One that is a week ahead would delete everything that still has a week; so a replica
 * whose clock differs from the database's removes nothing, and says so.
 */
export function createSweepClock({
  connection,
  own = () => new Date(),
  logger,
  metrics,
}: SweepClockOptions): SweepClock {
  return {
    async now() {
      const before = own().getTime();
      const answer = await connection.db?.admin().command({ hello: 1 });
      const after = own().getTime();
      const localTime: unknown = answer?.['localTime'];
      if (!(localTime instanceof Date)) throw new Error('The database does not tell its time.');
      // The answer was made at some moment in between.
      const skewMs = Math.max(before - localTime.getTime(), localTime.getTime() - after, 0);
      metrics.clockSkew.set(skewMs / 1000);
      if (skewMs <= MAX_SKEW_MS) return localTime;
      logger.error({ skewMs }, 'the clock differs from the one of the database, nothing is removed');
      return null;
    },
  };
}

/** Bounds of one run: a share of all, and a number that it may always remove. */
const BOUNDS = {
  accounts: { share: 0.01, least: 20 },
  'data keys': { share: 0.1, least: 7 },
  traces: { share: 0.1, least: 10_000 },
  'set aside': { share: 0.1, least: 5_000 },
  files: { share: 0.1, least: 1_000 },
} as const;

export type BoundedSweep = keyof typeof BOUNDS;

export interface SweepBounds {
  /**
   * False if more is due than one run may remove, and no operator has allowed it: a wrong time, or a wrong setting, must
   * not remove everything.
   * @param countDue counts at most so many
   */
  allows(
    sweep: BoundedSweep,
    count: { due: (limit: number) => Promise<number>; total: () => Promise<number> },
    now: Date,
  ): Promise<boolean>;
}

/** Operators write into it (docs/operations.md). */
export const SWEEP_PERMITS = 'sweep_permits';

interface PermitDocument {
  _id: string;
  until: Date;
}

export function createSweepBounds({
  connection,
  logger,
  metrics,
}: Pick<SweepClockOptions, 'connection' | 'logger' | 'metrics'>): SweepBounds {
  const permits = connection.collection<PermitDocument>(SWEEP_PERMITS);
  return {
    async allows(sweep, { due, total }, now) {
      const { share, least } = BOUNDS[sweep];
      const found = await due(least + 1);
      const bound = found <= least ? least : Math.max(least, Math.floor((await total()) * share));
      const isWithin = found <= least || (await due(bound + 1)) <= bound;
      const isAllowed = isWithin || (await permits.findOne({ _id: sweep, until: { $gt: now } })) !== null;
      metrics.sweepsRefused.set({ sweep }, isAllowed ? 0 : 1);
      if (!isAllowed)
        logger.error({ sweep, bound }, 'more is due than one sweep may remove, an operator has to allow it');
      return isAllowed;
    },
  };
}

export interface Sweeper {
  start(): void;
  /** Waits for the current sweep. */
  stop(): Promise<void>;
}

const INTERVAL_MS = 5 * 60 * 1000;

/** Runs a sweep at once and then at intervals, one at a time. Safe for concurrent replicas. */
export function createSweeper(sweep: (now: Date) => Promise<void>, clock: SweepClock, logger: Logger): Sweeper {
  let timer: NodeJS.Timeout | undefined;
  let sweeping: Promise<void> | undefined;

  const sweepOnce = async (): Promise<void> => {
    const now = await clock.now();
    if (now !== null) await sweep(now);
  };

  const run = (): void => {
    sweeping ??= sweepOnce()
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
