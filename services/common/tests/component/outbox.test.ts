import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { EventBus, ledgerEntry, outboxEntry, outboxIndex, type OutboxLedger, OutboxRelay } from '@najwa/common/amqp';
import { createLogger } from '@najwa/common/logging';
import { Metrics } from '@najwa/common/metrics';
import { ensureIndexes } from '@najwa/common/mongo';
import { DeletionLedger } from '@najwa/product';
import { eventually, openDatabase, requiredVariable } from '@najwa/testing';
import { consumeAll, deletion, logger, openEventBed } from '../support/event-bed.js';

const DAY_MS = 24 * 60 * 60 * 1000;

const bed = openEventBed();

describe('the outbox', () => {
  const open = async () => {
    const connection = await openDatabase(bed.prefix);
    await ensureIndexes(connection, 'things', [outboxIndex]);
    return connection;
  };

  test('publishes and removes the events in documents, also those of an earlier process', async () => {
    const connection = await open();
    const things = connection.collection('things');
    const [left, fresh, last] = [deletion(10), deletion(11), deletion(12)];
    await things.insertOne({ name: 'left', outbox: [outboxEntry(left)] });
    const seen: string[] = [];
    const bus = await bed.startBus((created) => consumeAll(created, ({ id }) => void seen.push(id)));
    const relay = new OutboxRelay({ connection, collections: [things], bus, logger, metrics: new Metrics('test') });
    relay.start();
    await eventually(() => expect(seen).toEqual([left.id]));
    await things.insertOne({ name: 'fresh', outbox: [outboxEntry(fresh)] });
    relay.notify();
    await eventually(() => expect(seen).toEqual([left.id, fresh.id]));
    await things.insertOne({ name: 'gone', deletedAt: new Date(), outbox: [outboxEntry(last)] });
    await relay.stop();
    await eventually(() => expect(seen).toEqual([left.id, fresh.id, last.id]));
    expect(await things.find({}, { projection: { _id: 0 } }).toArray()).toEqual([
      { name: 'left', outbox: [] },
      { name: 'fresh', outbox: [] },
    ]);
    await connection.dropDatabase();
    await connection.close();
  });

  test('keeps events that the broker did not confirm', async () => {
    const connection = await open();
    const things = connection.collection('things');
    await things.insertOne({ name: 'waiting', outbox: [outboxEntry(deletion(13))] });
    const unreachable = new EventBus({
      url: 'amqp://127.0.0.1:1',
      prefix: bed.prefix,
      service: 'test',
      logger,
      metrics: new Metrics('test'),
    });
    await unreachable.start();
    const relay = new OutboxRelay({
      connection,
      collections: [things],
      bus: unreachable,
      logger,
      metrics: new Metrics('test'),
    });
    relay.start();
    await relay.stop();
    await unreachable.stop();
    expect(await things.countDocuments({ 'outbox.0': { $exists: true } })).toBe(1);
    await connection.dropDatabase();
    await connection.close();
  });

  test('publishes without waiting for the ledger, and keeps an entry until it is in there', async () => {
    const connection = await open();
    const things = connection.collection('things');
    const [gone, other] = [deletion(14), deletion(15)];
    await things.insertMany([
      { name: 'gone', deletedAt: new Date(), outbox: [outboxEntry(gone)] },
      { name: 'other', outbox: [outboxEntry(other)] },
    ]);
    const seen: string[] = [];
    const bus = await bed.startBus((created) => consumeAll(created, ({ id }) => void seen.push(id)));
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const ledger = new DeletionLedger({
      connection,
      mongo: { url: requiredVariable('MONGO_URL'), database: bed.prefix },
      url: undefined,
      keys: [randomBytes(32)],
      factOf: ({ id }) => (id === gone.id ? { id } : undefined),
      logger,
    });
    const relay = new OutboxRelay({
      connection,
      collections: [things],
      bus,
      logger,
      metrics: new Metrics('test'),
      ledger: {
        concerns: (entry) => ledger.concerns(entry),
        note: (entries) => released.then(() => ledger.note(entries)),
      },
      sweepMs: 100,
    });
    relay.start();
    await eventually(() => expect(new Set(seen)).toEqual(new Set([gone.id, other.id])));
    await eventually(async () =>
      expect(await things.find({}, { sort: { name: 1 } }).toArray()).toMatchObject([
        { name: 'gone', outbox: [{ id: gone.id }] },
        { name: 'other', outbox: [] },
      ]),
    );
    release();
    await eventually(async () => expect(await things.countDocuments({ name: 'gone' })).toBe(0));
    const inLedger = connection.useDb(`${bed.prefix}_ledger`);
    expect(await inLedger.collection('deletions').countDocuments()).toBe(1);
    await relay.stop();
    expect(seen).toHaveLength(2);
    await ledger.close();
    await inLedger.dropDatabase();
    await connection.dropDatabase();
    await connection.close();
  });

  describe('with unreadable entries', () => {
    const POISONED = 150;
    const lines: { level: string; msg: string }[] = [];
    const logging = createLogger({
      service: 'test',
      level: 'warn',
      destination: { write: (line: string) => lines.push(JSON.parse(line) as { level: string; msg: string }) },
    });
    const unknown = (number: number) => ({
      id: `unknown-${number}`,
      at: new Date(number + 1),
      body: JSON.stringify({ id: `unknown-${number}`, somethingNew: { secret: 'words' } }),
    });

    // Threat model: rabbitmq-4.
    test('publishes the other entries, and parks each unreadable one with one log line', async () => {
      const connection = await open();
      const things = connection.collection('things');
      const [sibling, behind] = [deletion(20), deletion(21)];
      await things.insertMany(Array.from({ length: POISONED }, (_, number) => ({ outbox: [unknown(number)] })));
      await things.insertOne({
        name: 'both',
        outbox: [{ ...unknown(POISONED), body: '{"id": ' }, outboxEntry(sibling)],
      });
      await things.insertOne({ name: 'behind', outbox: [outboxEntry(behind)] });
      const seen: string[] = [];
      const bus = await bed.startBus((created) => consumeAll(created, ({ id }) => void seen.push(id)));
      const metrics = new Metrics('test');
      const relay = new OutboxRelay({
        connection,
        collections: [things],
        bus,
        logger: logging,
        metrics,
        sweepMs: 100,
      });
      relay.start();
      await eventually(() => expect(new Set(seen)).toEqual(new Set([sibling.id, behind.id])));
      await eventually(async () =>
        expect((await metrics.outboxParked.get()).values).toMatchObject([{ value: POISONED + 1 }]),
      );
      expect((await metrics.outboxPending.get()).values).toMatchObject([{ value: 0 }]);
      await relay.stop();
      expect(seen).toHaveLength(2);
      expect(await things.countDocuments({ 'outbox.0': { $exists: true } })).toBe(0);
      expect(lines.filter(({ msg }) => msg === 'event parked in the outbox')).toHaveLength(POISONED + 1);
      expect(JSON.stringify(lines)).not.toContain('words');
      expect(await connection.collection('outbox_parked').findOne({ reason: 'unreadable' })).toMatchObject({
        collection: 'things',
        entry: { id: `unknown-${POISONED}`, body: '{"id": ' },
      });
      await connection.dropDatabase();
      await connection.close();
    });

    test('forgets parked entries from before a time', async () => {
      const connection = await open();
      const things = connection.collection('things');
      const old = { ...unknown(1), at: new Date(Date.now() - 31 * DAY_MS) };
      const young = { ...unknown(2), at: new Date(Date.now() - 29 * DAY_MS) };
      await things.insertOne({ outbox: [old, young] });
      const relay = new OutboxRelay({
        connection,
        collections: [things],
        bus: await bed.startBus(),
        logger,
        metrics: new Metrics('test'),
        sweepMs: 100,
      });
      relay.start();
      await eventually(async () => expect(await things.countDocuments({ 'outbox.0': { $exists: true } })).toBe(0));
      await relay.forgetParked(new Date(Date.now() - 30 * DAY_MS));
      expect(await connection.collection('outbox_parked').find().toArray()).toMatchObject([{ entry: young }]);
      await relay.stop();
      await connection.dropDatabase();
      await connection.close();
    });

    test('publishes each entry once when processing fails for one, and reports the number of pending entries', async () => {
      const connection = await open();
      const things = connection.collection('things');
      const [failing, fine] = [deletion(30), deletion(31)];
      await things.insertMany([{ outbox: [outboxEntry(failing)] }, { outbox: [outboxEntry(fine)] }]);
      const seen: string[] = [];
      const bus = await bed.startBus((created) => consumeAll(created, ({ id }) => void seen.push(id)));
      const metrics = new Metrics('test');
      let attempts = 0;
      const relay = new OutboxRelay({
        connection,
        collections: [things],
        bus,
        logger,
        metrics,
        sweepMs: 100,
        beforeRemoval: (entries) => {
          if (!entries.some(({ id }) => id === failing.id)) return Promise.resolve();
          attempts += 1;
          return Promise.reject(new Error('no'));
        },
      });
      relay.start();
      await eventually(async () =>
        expect(await things.find({ 'outbox.0': { $exists: true } }).toArray()).toMatchObject([
          { outbox: [{ id: failing.id }] },
        ]),
      );
      await eventually(async () => expect((await metrics.outboxPending.get()).values).toMatchObject([{ value: 1 }]));
      await eventually(() => expect(attempts).toBeGreaterThan(5));
      await eventually(() => expect(seen.toSorted()).toEqual([failing.id, fine.id].toSorted()));
      await relay.stop();
      await connection.dropDatabase();
      await connection.close();
    });

    test('an entry without an event is noted in the ledger, and not published', async () => {
      const connection = await open();
      const things = connection.collection('things');
      const entry = ledgerEntry({ what: 'a block' });
      await things.insertOne({ outbox: [entry, outboxEntry(deletion(50))] });
      const seen: unknown[] = [];
      const bus = await bed.startBus((created) => consumeAll(created, ({ id }) => void seen.push(id)));
      const noted: unknown[] = [];
      const ledger: OutboxLedger = {
        concerns: (one) => 'ledger' in one,
        note: (entries) => Promise.resolve(void noted.push(...entries)),
      };
      const relay = new OutboxRelay({
        connection,
        collections: [things],
        bus,
        logger,
        metrics: new Metrics('test'),
        ledger,
        sweepMs: 100,
      });
      relay.start();
      await eventually(async () => expect(await things.countDocuments({ 'outbox.0': { $exists: true } })).toBe(0));
      await eventually(() => expect(seen).toHaveLength(1));
      expect(noted).toEqual([entry]);
      expect(await connection.collection('outbox_parked').countDocuments()).toBe(0);
      await relay.stop();
      await connection.dropDatabase();
      await connection.close();
    });

    test('reports the number of pending entries while the broker is down', async () => {
      const connection = await open();
      const things = connection.collection('things');
      await things.insertMany([{ outbox: [outboxEntry(deletion(40))] }, { outbox: [outboxEntry(deletion(41))] }]);
      const metrics = new Metrics('test');
      const bus = new EventBus({ url: 'amqp://127.0.0.1:1', prefix: bed.prefix, service: 'test', logger, metrics });
      await bus.start();
      const relay = new OutboxRelay({ connection, collections: [things], bus, logger, metrics, sweepMs: 100 });
      relay.start();
      await eventually(async () => expect((await metrics.outboxPending.get()).values).toMatchObject([{ value: 2 }]));
      await relay.stop();
      await bus.stop();
      await connection.dropDatabase();
      await connection.close();
    });
  });
});
