import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLogger } from '@najwa/common/logging';
import { Metrics } from '@najwa/common/metrics';
import { SWEEP_PERMITS, SweepBounds, SweepClock } from '@najwa/common/service';
import { openDatabase } from '@najwa/testing';
import type { Connection } from 'mongoose';

const MINUTE_MS = 60 * 1000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const logger = createLogger({ service: 'test', level: 'silent' });
let connection: Connection;

beforeAll(async () => {
  connection = await openDatabase();
});

afterAll(async () => {
  await connection.dropDatabase();
  await connection.close();
});

function clockAheadBy(ms: number) {
  const metrics = new Metrics('test');
  const own = (): Date => new Date(Date.now() + ms);
  return { metrics, clock: new SweepClock({ connection, own, logger, metrics }) };
}

const valueOf = async (metrics: Metrics, name: string): Promise<number | undefined> =>
  (await metrics.registry.getSingleMetric(name)?.get())?.values[0]?.value;

test.each([-8 * DAY_MS, -3 * MINUTE_MS, 3 * MINUTE_MS, 8 * DAY_MS, 91 * DAY_MS])(
  'nothing is removed by a clock that differs by %p ms from the database, and a metric says so',
  async (ms) => {
    const { clock, metrics } = clockAheadBy(ms);
    expect(await clock.now()).toBeNull();
    expect(await valueOf(metrics, 'clock_skew_seconds')).toBeGreaterThan(120);
  },
);

test('removal goes by the time of the database', async () => {
  const { clock, metrics } = clockAheadBy(MINUTE_MS);
  const now = await clock.now();
  expect(Math.abs((now?.getTime() ?? 0) - Date.now())).toBeLessThan(MINUTE_MS);
  expect(await valueOf(metrics, 'clock_skew_seconds')).toBeLessThan(120);
});

test('a sweep that would remove more than its share waits for an operator', async () => {
  const metrics = new Metrics('test');
  const bounds = new SweepBounds({ connection, logger, metrics });
  const allows = (due: number, total: number) =>
    bounds.allows(
      'data keys',
      { due: (limit) => Promise.resolve(Math.min(due, limit)), total: () => Promise.resolve(total) },
      new Date(),
    );
  expect([await allows(7, 7), await allows(9, 90), await allows(8, 20)]).toEqual([true, true, false]);
  expect(await valueOf(metrics, 'sweep_refused')).toBe(1);
  const permits = connection.collection<{ _id: string; until: Date }>(SWEEP_PERMITS);
  await permits.insertOne({ _id: 'data keys', until: new Date(Date.now() - MINUTE_MS) });
  expect(await allows(90, 90)).toBe(false);
  await permits.updateOne({ _id: 'data keys' }, { $set: { until: new Date(Date.now() + DAY_MS) } });
  expect(await allows(90, 90)).toBe(true);
  expect(await valueOf(metrics, 'sweep_refused')).toBe(0);
});
