import type { Connection } from 'mongoose';
import type { Logger } from '../logging/logger.js';
import type { Metrics } from '../metrics/metrics.js';

interface SweepClockOptions {
  connection: Connection;
  own?: (() => Date) | undefined;
  logger: Logger;
  metrics: Metrics;
}

const MAX_SKEW_MS = 2 * 60 * 1000;

/** Maximum difference between two replicas that both remove data. */
export const MAX_REPLICA_SKEW_MS = 2 * MAX_SKEW_MS;

/**
 * No single clock decides: one that is a week ahead would delete a week too early. A replica that disagrees with the
 * database removes nothing and logs an error.
 */
export class SweepClock {
  constructor(private readonly options: SweepClockOptions) {}

  /** The database's time. Null if this process disagrees: then nothing may be removed. */
  async now(): Promise<Date | null> {
    const { connection, own = () => new Date(), logger, metrics } = this.options;
    const before = own().getTime();
    const answer = await connection.db?.admin().command({ hello: 1 });
    const after = own().getTime();
    const localTime: unknown = answer?.['localTime'];
    if (!(localTime instanceof Date)) throw new Error('The database does not tell its time.');
    const skewMs = Math.max(before - localTime.getTime(), localTime.getTime() - after, 0);
    metrics.clockSkew.set(skewMs / 1000);
    if (skewMs <= MAX_SKEW_MS) return localTime;
    logger.error({ skewMs }, 'the clock differs from the one of the database, nothing is removed');
    return null;
  }
}

/** Limits of one run: a share of all, or at least a number. */
const BOUNDS = {
  accounts: { share: 0.01, least: 20 },
  'data keys': { share: 0.1, least: 7 },
  traces: { share: 0.1, least: 10_000 },
  'set aside': { share: 0.1, least: 5_000 },
  files: { share: 0.1, least: 1_000 },
} as const;

export type BoundedSweep = keyof typeof BOUNDS;

/** Written by operators (docs/operations.md). */
export const SWEEP_PERMITS = 'sweep_permits';

interface PermitDocument {
  _id: string;
  until: Date;
}

export class SweepBounds {
  constructor(private readonly options: Pick<SweepClockOptions, 'connection' | 'logger' | 'metrics'>) {}

  /**
   * False if more is due than one run may remove without an operator's permit: a wrong clock or setting must not remove
   * everything. `due` counts up to a limit.
   */
  async allows(
    sweep: BoundedSweep,
    { due, total }: { due: (limit: number) => Promise<number>; total: () => Promise<number> },
    now: Date,
  ): Promise<boolean> {
    const { connection, logger, metrics } = this.options;
    const permits = connection.collection<PermitDocument>(SWEEP_PERMITS);
    const { share, least } = BOUNDS[sweep];
    const found = await due(least + 1);
    const bound = found <= least ? least : Math.max(least, Math.floor((await total()) * share));
    const isWithin = found <= least || (await due(bound + 1)) <= bound;
    const isAllowed = isWithin || (await permits.findOne({ _id: sweep, until: { $gt: now } })) !== null;
    metrics.sweepsRefused.set({ sweep }, isAllowed ? 0 : 1);
    if (!isAllowed)
      logger.error({ sweep, bound }, 'more is due than one sweep may remove, an operator has to allow it');
    return isAllowed;
  }
}

const INTERVAL_MS = 5 * 60 * 1000;
/** Others may still start. */
const RETRY_MS = 15_000;

/** At once, then at intervals, one at a time. Safe for concurrent replicas. */
export class Sweeper {
  #timer: NodeJS.Timeout | undefined;
  #retry: NodeJS.Timeout | undefined;
  #sweeping: Promise<void> | undefined;

  constructor(
    private readonly sweep: (now: Date) => Promise<void>,
    private readonly clock: SweepClock,
    private readonly logger: Logger,
  ) {}

  start(): void {
    this.#timer = setInterval(() => this.#run(), INTERVAL_MS);
    this.#run();
  }
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#sweeping;
    clearTimeout(this.#retry);
  }

  #run(): void {
    this.#sweeping ??= this.#sweepOnce()
      .catch((error: unknown) => {
        this.logger.warn({ err: error }, 'sweep failed, will retry');
        clearTimeout(this.#retry);
        this.#retry = setTimeout(() => this.#run(), RETRY_MS);
      })
      .finally(() => (this.#sweeping = undefined));
  }
  async #sweepOnce(): Promise<void> {
    const now = await this.clock.now();
    if (now !== null) await this.sweep(now);
  }
}
