import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createLogger } from '@najwa/common/logging';
import { Metrics } from '@najwa/common/metrics';
import { MigrationRunner, migrateDocuments, MIGRATIONS, type Migration } from '@najwa/common/mongo';
import { eventually, openDatabase } from '@najwa/testing';
import type { Connection } from 'mongoose';

interface Note {
  id: number;
  text: string;
  /** The new form has it. */
  length?: number;
}

const TIMING = { poll: 20, pause: 1, lease: 500, settle: 60_000 };
const logger = createLogger({ service: 'test', level: 'silent' });

let connection: Connection;
let metrics: Metrics;
let collection: string;
const runners: MigrationRunner[] = [];

beforeAll(async () => {
  connection = await openDatabase();
});
beforeEach(() => {
  collection = `notes_${randomUUID().slice(0, 8)}`;
  metrics = new Metrics('test');
});
afterEach(async () => {
  await Promise.all(runners.splice(0).map((runner) => runner.stop()));
});
afterAll(async () => {
  await connection.dropDatabase();
  await connection.close();
});

const notes = () => connection.collection<Note>(collection);
const nameOf = (): string => `measure-${collection}`;
const state = () =>
  connection.collection<{ _id: string; [key: string]: unknown }>(MIGRATIONS).findOne({ _id: nameOf() });

const measureTexts = (): Migration =>
  migrateDocuments<Note>({
    name: nameOf(),
    collection,
    orderedBy: 'id',
    projection: { text: 1, length: 1 },
    change: ({ text, length }) => (length === text.length ? null : { length: text.length }),
    batchSize: 10,
  });

const fill = (count: number, first = 1) =>
  notes().insertMany(Array.from({ length: count }, (_, index) => ({ id: first + index, text: `note ${index}` })));

function start(migrations: Migration[], timing: Partial<typeof TIMING> = {}): MigrationRunner {
  const runner = new MigrationRunner({ connection, migrations, logger, metrics, timing: { ...TIMING, ...timing } });
  runners.push(runner);
  runner.start();
  return runner;
}

const countOld = () => notes().countDocuments({ length: { $exists: false } });
const pending = async (): Promise<number> => (await metrics.migrationsPending.get()).values[0]?.value ?? NaN;

test('changes every document once, and is done after a later pass that finds nothing', async () => {
  await fill(35);
  start([measureTexts()], { settle: 0 });
  await eventually(async () => expect((await state())?.['doneAt']).toBeInstanceOf(Date));
  expect(await countOld()).toBe(0);
  expect(await state()).toMatchObject({ changed: 35, passes: 2, runner: null });
  await eventually(async () => expect(await pending()).toBe(0));
});

test('changes what an earlier version writes behind the first pass', async () => {
  await fill(15);
  start([measureTexts()], { settle: 300 });
  await eventually(async () => expect((await state())?.['passes']).toBe(1));
  await fill(1, 0);
  await eventually(async () => expect((await state())?.['doneAt']).toBeInstanceOf(Date));
  expect(await countOld()).toBe(0);
});

test('waits before the next pass', async () => {
  await fill(5);
  start([measureTexts()]);
  await eventually(async () => expect((await state())?.['passes']).toBe(1));
  await fill(1, 0);
  const runner = start([measureTexts()]);
  await eventually(async () => expect(await pending()).toBe(1));
  await runner.stop();
  expect(await state()).toMatchObject({ passes: 1, doneAt: null });
});

test('never overwrites what the service changes meanwhile', async () => {
  const count = 300;
  await fill(count);
  start([measureTexts()]);
  for (let id = count; id > 0; id -= 1) {
    const text = 'changed'.repeat(1 + (id % 5));
    await notes().updateOne({ id }, { $set: { text, length: text.length } });
  }
  await eventually(async () => expect((await state())?.['passes']).toBe(1));
  const wrong = (await notes().find().toArray()).filter(({ text, length }) => length !== text.length);
  expect(wrong).toEqual([]);
});

test('one replica runs it at a time', async () => {
  await fill(200);
  let running = 0;
  let most = 0;
  const { name, runBatch } = measureTexts();
  const watched: Migration = {
    name,
    async runBatch(...args) {
      running += 1;
      most = Math.max(most, running);
      const batch = await runBatch(...args);
      running -= 1;
      return batch;
    },
  };
  // On a busy machine a batch can outlast a short lease, which another replica then takes.
  for (let replica = 0; replica < 3; replica += 1) start([watched], { lease: 60_000 });
  await eventually(async () => expect((await state())?.['passes']).toBe(1));
  expect(most).toBe(1);
  expect(await state()).toMatchObject({ changed: 200 });
});

test('another replica continues after the last batch of a crashed one', async () => {
  await fill(50);
  const seen: unknown[] = [];
  const { name, runBatch } = measureTexts();
  // A crash: the batch never ends, and the lease is not released.
  let crash = (): void => undefined;
  const crashed = new Promise<void>((resolve) => (crash = resolve));
  const crashing: Migration = {
    name,
    runBatch: async (connection, cursor) => {
      if (cursor !== 20) return runBatch(connection, cursor);
      crash();
      return new Promise(() => undefined);
    },
  };
  new MigrationRunner({ connection, migrations: [crashing], logger, metrics, timing: TIMING }).start();
  await crashed;
  start([
    {
      name,
      runBatch: (...args) => {
        seen.push(args[1]);
        return runBatch(...args);
      },
    },
  ]);
  await eventually(async () => expect((await state())?.['passes']).toBe(1));
  expect(seen[0]).toBe(20);
  expect(await countOld()).toBe(0);
});

test('starts a migration after the first pass of the one before', async () => {
  await fill(5);
  const order: string[] = [];
  const step = (name: string): Migration => ({
    name: `${name}-${collection}`,
    runBatch: () => {
      order.push(name);
      if (name === 'first' && order.length === 1) throw new Error('A fault that goes away.');
      return Promise.resolve({ changed: 0, next: null });
    },
  });
  start([step('first'), step('second')]);
  await eventually(() => expect(order).toEqual(['first', 'first', 'second']));
});
