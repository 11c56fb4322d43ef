import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  AppError,
  createDatabase,
  createEvent,
  createEventBus,
  createLogger,
  createMetrics,
  createOutboxRelay,
  ensureIndexes,
  namesFor,
  openParkedEvents,
  outboxEntry,
  outboxIndex,
  type EventBus,
} from '@najwa/common';
import { Event } from '@najwa/proto/events';
import { eventually, deleteTopology, requiredVariable } from '@najwa/dev-env';
import { connect } from 'amqplib';

const logger = createLogger({ service: 'test', level: 'silent' });
const url = requiredVariable('AMQP_URL');

let prefix: string;
let buses: EventBus[];

beforeEach(() => {
  prefix = `test-${randomUUID().slice(0, 8)}`;
  buses = [];
});

afterEach(async () => {
  for (const bus of buses) await bus.stop();
  await deleteTopology(url, prefix);
});

async function startBus(prepare: (bus: EventBus) => void = () => undefined): Promise<EventBus> {
  const bus = createEventBus({ url, prefix, service: 'test', logger, metrics: createMetrics('test') });
  prepare(bus);
  buses.push(bus);
  await bus.start();
  await eventually(() => expect(bus.isConnected()).toBe(true));
  return bus;
}

const deletion = (messageId: number): Event =>
  createEvent(randomUUID(), {
    $case: 'messageDeleted',
    value: { messageId, userId: 1, revision: 2, imageName: '', audioName: '' },
  });

/** Subscribes to tracking's queue with one handler for all events. */
const consumeAll = (bus: EventBus, handle: (event: Event) => void): void =>
  bus.consume('tracking', {
    messageCreated: (_payload, event) => handle(event),
    messageUpdated: (_payload, event) => handle(event),
    messageDeleted: (_payload, event) => handle(event),
  });

async function parkedReasons(): Promise<unknown[]> {
  const model = await connect(url);
  const channel = await model.createChannel();
  const reasons: unknown[] = [];
  for (;;) {
    const message = await channel.get(namesFor(prefix).parkedQueue('tracking'), { noAck: false });
    if (message === false) break;
    reasons.push(message.properties.headers?.['x-najwa-reason']);
  }
  await model.close();
  return reasons;
}

describe('the event bus', () => {
  test('keeps an event until its consumer starts', async () => {
    const event = deletion(1);
    await (await startBus()).publish([event]);
    const seen: string[] = [];
    await startBus((bus) => consumeAll(bus, ({ id }) => void seen.push(id)));
    await eventually(() => expect(seen).toEqual([event.id]));
  });

  test('retries a failed event', async () => {
    const event = deletion(2);
    let tries = 0;
    const bus = await startBus((created) =>
      consumeAll(created, () => {
        tries += 1;
        if (tries === 1) throw new AppError({ code: 'unavailable', message: 'The database is unavailable.' });
      }),
    );
    await bus.publish([event]);
    await eventually(() => expect(tries).toBe(2));
    expect(await parkedReasons()).toEqual([]);
  });

  test('parks an unreadable event with the reason, and continues', async () => {
    const seen: string[] = [];
    const bus = await startBus((created) => consumeAll(created, ({ id }) => void seen.push(id)));
    const model = await connect(url);
    const channel = await model.createConfirmChannel();
    channel.publish(namesFor(prefix).exchange, 'message.deleted', Buffer.from('{"id": '));
    await channel.waitForConfirms();
    await model.close();
    const next = deletion(3);
    await bus.publish([next]);
    await eventually(() => expect(seen).toEqual([next.id]));
    await eventually(async () => expect(await parkedReasons()).toEqual(['unreadable']));
  });

  test('does not count attempts with an unavailable dependency towards parking', async () => {
    const event = deletion(5);
    let tries = 0;
    const bus = await startBus((created) =>
      consumeAll(created, () => {
        tries += 1;
        throw tries === 1 ? new AppError({ code: 'unavailable', message: 'Unavailable.' }) : new Error('no');
      }),
    );
    const model = await connect(url);
    const channel = await model.createConfirmChannel();
    channel.sendToQueue(namesFor(prefix).queue('tracking'), Buffer.from(JSON.stringify(Event.toJSON(event))), {
      messageId: event.id,
      // One more failed attempt parks it.
      headers: { 'x-najwa-attempts': 6 },
    });
    await channel.waitForConfirms();
    const delayed = namesFor(prefix).retryQueue('tracking', 5_000);
    await eventually(async () => {
      expect(tries).toBe(2);
      expect(await channel.checkQueue(delayed)).toMatchObject({ messageCount: 1 });
    });
    await model.close();
    await bus.stop();
  });

  test('parks an event whose consumers crash', async () => {
    const event = deletion(6);
    const bus = await startBus();
    await bus.publish([event]);
    const model = await connect(url);
    const channel = await model.createChannel();
    const queue = namesFor(prefix).queue('tracking');
    await eventually(async () => {
      for (;;) {
        const delivery = await channel.get(queue);
        if (delivery === false) break;
        channel.nack(delivery, false, true);
      }
      expect(await channel.checkQueue(namesFor(prefix).parkedQueue('tracking'))).toMatchObject({ messageCount: 1 });
    });
    await model.close();
    const parked = await openParkedEvents({ url, prefix });
    expect(await parked.list()).toMatchObject([{ id: event.id, name: 'messageDeleted', reason: 'delivery limit' }]);
    expect(await parked.requeue()).toHaveLength(1);
    await parked.close();
    const seen: string[] = [];
    await startBus((created) => consumeAll(created, ({ id }) => void seen.push(id)));
    await eventually(() => expect(seen).toEqual([event.id]));
  });

  test('migrates events from queues of an earlier version', async () => {
    const [waiting, delayed] = [deletion(7), deletion(8)];
    const model = await connect(url);
    const channel = await model.createConfirmChannel();
    const names = namesFor(prefix);
    const [main = '', retry = ''] = names.earlierQueues('tracking');
    await channel.assertExchange(names.exchange, 'topic', { durable: true });
    await channel.assertQueue(main, { durable: true, arguments: { 'x-queue-type': 'quorum' } });
    await channel.bindQueue(main, names.exchange, 'message.deleted');
    await channel.assertQueue(retry, {
      durable: true,
      arguments: {
        'x-queue-type': 'quorum',
        'x-message-ttl': 600_000,
        'x-dead-letter-exchange': '',
        'x-dead-letter-routing-key': main,
        'x-dead-letter-strategy': 'at-least-once',
        'x-overflow': 'reject-publish',
      },
    });
    for (const [queue, event] of [
      [main, waiting],
      [retry, delayed],
    ] as const)
      channel.sendToQueue(queue, Buffer.from(JSON.stringify(Event.toJSON(event))), { messageId: event.id });
    await channel.waitForConfirms();
    const seen: string[] = [];
    await startBus((created) => consumeAll(created, ({ id }) => void seen.push(id)));
    await eventually(() => expect([...seen].sort()).toEqual([waiting.id, delayed.id].sort()));
    channel.on('error', () => undefined);
    await expect(channel.checkQueue(main)).rejects.toThrow('NOT_FOUND');
    await model.close();
  });

  test('delivers subscribed events to every replica, and no others', async () => {
    const heard: string[][] = [[], []];
    for (const list of heard) {
      await startBus((bus) =>
        bus.subscribe({ sessionEnded: (_payload, event) => void list.push(event.id) }, () => undefined),
      );
    }
    const event = createEvent(randomUUID(), { $case: 'sessionEnded', value: { tokenHash: Buffer.alloc(32) } });
    await buses[0]?.publish([deletion(4), event]);
    await eventually(() => expect(heard).toEqual([[event.id], [event.id]]));
  });
});

describe('the outbox', () => {
  const open = async () => {
    const database = createDatabase({ url: requiredVariable('MONGO_URL'), database: prefix }, logger);
    await database.connect();
    const { connection } = database;
    await ensureIndexes(connection, 'things', [outboxIndex]);
    return connection;
  };

  test('publishes and removes the events in documents, also those of an earlier process', async () => {
    const connection = await open();
    const things = connection.collection('things');
    const [left, fresh, last] = [deletion(10), deletion(11), deletion(12)];
    await things.insertOne({ name: 'left', outbox: [outboxEntry(left)] });
    const seen: string[] = [];
    const bus = await startBus((created) => consumeAll(created, ({ id }) => void seen.push(id)));
    const relay = createOutboxRelay({ connection, collections: [things], bus, logger, metrics: createMetrics('test') });
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
    const unreachable = createEventBus({
      url: 'amqp://127.0.0.1:1',
      prefix,
      service: 'test',
      logger,
      metrics: createMetrics('test'),
    });
    await unreachable.start();
    const relay = createOutboxRelay({
      connection,
      collections: [things],
      bus: unreachable,
      logger,
      metrics: createMetrics('test'),
    });
    relay.start();
    await relay.stop();
    await unreachable.stop();
    expect(await things.countDocuments({ 'outbox.0': { $exists: true } })).toBe(1);
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

    test('publishes the other entries, and parks each unreadable one with one log line', async () => {
      const connection = await open();
      const things = connection.collection('things');
      const [beside, behind] = [deletion(20), deletion(21)];
      await things.insertMany(Array.from({ length: POISONED }, (_, number) => ({ outbox: [unknown(number)] })));
      await things.insertOne({
        name: 'both',
        outbox: [{ ...unknown(POISONED), body: '{"id": ' }, outboxEntry(beside)],
      });
      await things.insertOne({ name: 'behind', outbox: [outboxEntry(behind)] });
      const seen: string[] = [];
      const bus = await startBus((created) => consumeAll(created, ({ id }) => void seen.push(id)));
      const metrics = createMetrics('test');
      const relay = createOutboxRelay({
        connection,
        collections: [things],
        bus,
        logger: logging,
        metrics,
        sweepMs: 100,
      });
      relay.start();
      await eventually(() => expect(new Set(seen)).toEqual(new Set([beside.id, behind.id])));
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

    test('publishes each entry once when processing fails for one, and reports the number of pending entries', async () => {
      const connection = await open();
      const things = connection.collection('things');
      const [failing, fine] = [deletion(30), deletion(31)];
      await things.insertMany([{ outbox: [outboxEntry(failing)] }, { outbox: [outboxEntry(fine)] }]);
      const seen: string[] = [];
      const bus = await startBus((created) => consumeAll(created, ({ id }) => void seen.push(id)));
      const metrics = createMetrics('test');
      let attempts = 0;
      const relay = createOutboxRelay({
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
      expect(seen.sort()).toEqual([failing.id, fine.id].sort());
      await relay.stop();
      await connection.dropDatabase();
      await connection.close();
    });

    test('reports the number of pending entries while the broker is down', async () => {
      const connection = await open();
      const things = connection.collection('things');
      await things.insertMany([{ outbox: [outboxEntry(deletion(40))] }, { outbox: [outboxEntry(deletion(41))] }]);
      const metrics = createMetrics('test');
      const bus = createEventBus({ url: 'amqp://127.0.0.1:1', prefix, service: 'test', logger, metrics });
      await bus.start();
      const relay = createOutboxRelay({ connection, collections: [things], bus, logger, metrics, sweepMs: 100 });
      relay.start();
      await eventually(async () => expect((await metrics.outboxPending.get()).values).toMatchObject([{ value: 2 }]));
      await relay.stop();
      await bus.stop();
      await connection.dropDatabase();
      await connection.close();
    });
  });
});
