import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createEvent, namesFor, ParkedEvents } from '@najwa/common/amqp';
import { AppError } from '@najwa/common/errors';
import { Event } from '@najwa/proto/events';
import { eventually, openDatabase, openLine, type Line } from '@najwa/testing';
import { connect } from 'amqplib';
import { consumeAll, deletion, openEventBed, url } from '../support/event-bed.js';

const bed = openEventBed();

async function parkedReasons(): Promise<unknown[]> {
  const model = await connect(url);
  const channel = await model.createChannel();
  const reasons: unknown[] = [];
  for (;;) {
    const message = await channel.get(namesFor(bed.prefix).parkedQueue('tracking'), { noAck: false });
    if (message === false) break;
    reasons.push(message.properties.headers?.['x-najwa-reason']);
  }
  await model.close();
  return reasons;
}

/** As another program would. */
async function sendToTracking(content: unknown, headers: Record<string, unknown> = {}): Promise<void> {
  const model = await connect(url);
  const channel = await model.createConfirmChannel();
  const bytes = Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content));
  channel.sendToQueue(namesFor(bed.prefix).queue('tracking'), bytes, { headers });
  await channel.waitForConfirms();
  await model.close();
}

/** As the driver throws it. */
async function internalError(message: string): Promise<unknown> {
  const database = await openDatabase(bed.prefix);
  const error: unknown = await database.db?.command({ unknown: 1 }).catch((reason: unknown) => reason);
  await database.close();
  return Object.assign(error as object, { message, code: 1 });
}

describe('the event bus', () => {
  let line: Line | undefined;
  // An open line keeps the process alive, also after a failure.
  afterEach(() => line?.close());

  test('keeps an event until its consumer starts', async () => {
    const event = deletion(1);
    await (await bed.startBus()).publish([event]);
    const seen: string[] = [];
    await bed.startBus((bus) => consumeAll(bus, ({ id }) => void seen.push(id)));
    await eventually(() => expect(seen).toEqual([event.id]));
  });

  test('retries a failed event', async () => {
    const event = deletion(2);
    let tries = 0;
    const bus = await bed.startBus((created) =>
      consumeAll(created, () => {
        tries += 1;
        if (tries === 1) throw new AppError({ code: 'unavailable', message: 'The database is unavailable.' });
      }),
    );
    await bus.publish([event]);
    await eventually(() => expect(tries).toBe(2));
    expect(await parkedReasons()).toEqual([]);
  });

  // Threat model: rabbitmq-4.
  test('parks an unreadable event with the reason, and continues', async () => {
    const seen: string[] = [];
    const bus = await bed.startBus((created) => consumeAll(created, ({ id }) => void seen.push(id)));
    const model = await connect(url);
    const channel = await model.createConfirmChannel();
    channel.publish(namesFor(bed.prefix).exchange, 'message.deleted', Buffer.from('{"id": '));
    await channel.waitForConfirms();
    await model.close();
    const next = deletion(3);
    await bus.publish([next]);
    await eventually(() => expect(seen).toEqual([next.id]));
    await eventually(async () => expect(await parkedReasons()).toEqual(['unreadable']));
  });

  // Threat model: rabbitmq-4.
  test.each([
    ['of no version', Buffer.from('null'), {}, 'unreadable'],
    ['of bytes', Buffer.from([0xff, 0xfe, 0x00, 0x7b]), {}, 'unreadable'],
    ['of a hundred thousand levels', Buffer.from('['.repeat(100_000)), {}, 'unreadable'],
    ['of a later version', Buffer.from('{"id":"a","version":2,"messageFrozen":{}}'), {}, 'no handler'],
    ['of another queue', Buffer.from('{"id":"a","userCreated":{"userId":1}}'), {}, 'no handler'],
    ['with huge headers', Buffer.from('{"id":"a","messageFrozen":{}}'), { huge: 'h'.repeat(65_450) }, 'no handler'],
  ])('parks an event %s at once, and continues', async (_kind, content, headers, reason) => {
    const seen: string[] = [];
    const bus = await bed.startBus((created) => consumeAll(created, ({ id }) => void seen.push(id)));
    await sendToTracking(content, headers);
    const next = deletion(9);
    await bus.publish([next]);
    await eventually(() => expect(seen).toEqual([next.id]));
    await eventually(async () => expect(await parkedReasons()).toEqual([reason]));
  });

  // Threat model: rabbitmq-4.
  test('handles an event with huge fields', async () => {
    const seen: number[] = [];
    await bed.startBus((created) => consumeAll(created, ({ requestId }) => void seen.push(requestId.length)));
    await sendToTracking(Event.toJSON({ ...deletion(9), requestId: 'r'.repeat(5_000_000) }));
    await eventually(() => expect(seen).toEqual([5_000_000]));
    expect(await parkedReasons()).toEqual([]);
  });

  // Threat model: rabbitmq-4.
  test('handles an event once whose time is none', async () => {
    const seen: string[] = [];
    await bed.startBus((created) => consumeAll(created, ({ id }) => void seen.push(id)));
    const event = deletion(11);
    await sendToTracking({ ...(Event.toJSON(event) as object), occurredAt: 'yesterday' });
    const next = deletion(12);
    await sendToTracking(Event.toJSON(next));
    await eventually(() => expect(seen).toContain(next.id));
    const model = await connect(url);
    const channel = await model.createChannel();
    const names = namesFor(bed.prefix);
    const waiting = async (queue: string): Promise<number> => (await channel.checkQueue(queue)).messageCount;
    await eventually(async () => expect(await waiting(names.queue('tracking'))).toBe(0));
    await bed.buses[0]?.stop();
    expect(await waiting(names.retryQueue('tracking', 1_000))).toBe(0);
    await model.close();
    expect(seen.filter((id) => id === event.id)).toHaveLength(1);
  });

  // Threat model: rabbitmq-4.
  test.each(['many', -1_000_000, { a: 1 }])('does not believe a count of attempts of %j', async (count) => {
    await bed.startBus((created) =>
      consumeAll(created, () => {
        throw new Error('no');
      }),
    );
    await sendToTracking(Event.toJSON(deletion(10)), { 'x-najwa-attempts': count, 'x-najwa-delays': count });
    const model = await connect(url);
    const channel = await model.createChannel();
    const retry = namesFor(bed.prefix).retryQueue('tracking', 1_000);
    let delayed: unknown;
    await eventually(async () => {
      const message = await channel.get(retry);
      if (message !== false) delayed = message.properties.headers;
      expect(delayed).toMatchObject({ 'x-najwa-attempts': 1, 'x-najwa-delays': 1 });
    });
    await model.close();
  });

  test('does not count attempts with an unavailable dependency towards parking', async () => {
    const event = deletion(5);
    let tries = 0;
    const bus = await bed.startBus((created) =>
      consumeAll(created, () => {
        tries += 1;
        throw tries === 1 ? new AppError({ code: 'unavailable', message: 'Unavailable.' }) : new Error('no');
      }),
    );
    const model = await connect(url);
    const channel = await model.createConfirmChannel();
    channel.sendToQueue(namesFor(bed.prefix).queue('tracking'), Buffer.from(JSON.stringify(Event.toJSON(event))), {
      messageId: event.id,
      // One more failed attempt parks it.
      headers: { 'x-najwa-attempts': 6 },
    });
    await channel.waitForConfirms();
    const delayed = namesFor(bed.prefix).retryQueue('tracking', 5_000);
    await eventually(async () => {
      expect(tries).toBe(2);
      expect(await channel.checkQueue(delayed)).toMatchObject({ messageCount: 1 });
    });
    await model.close();
    await bus.stop();
  });

  test.each([
    ['waits', 119, 'internal error', []],
    ['is parked', 120, 'internal error', ['unavailable']],
    ['waits', 120, 'failed to connect to the storage', []],
  ])('an event %s after %p delays if the database says "%s"', async (_outcome, delays, message, parked) => {
    const error = await internalError(message);
    let tries = 0;
    await bed.startBus((created) =>
      consumeAll(created, () => {
        tries += 1;
        throw error;
      }),
    );
    // One more failed attempt parks it.
    await sendToTracking(Event.toJSON(deletion(20)), { 'x-najwa-attempts': 7, 'x-najwa-delays': delays });
    await eventually(() => expect(tries).toBe(1));
    await bed.buses[0]?.stop();
    expect(await parkedReasons()).toEqual(parked);
  });

  // Threat model: rabbitmq-4.
  test('parks an event whose consumers crash', async () => {
    const event = deletion(6);
    const bus = await bed.startBus();
    await bus.publish([event]);
    const model = await connect(url);
    const channel = await model.createChannel();
    const queue = namesFor(bed.prefix).queue('tracking');
    await eventually(async () => {
      for (let isThere = true; isThere;) {
        const consumer = await model.createChannel();
        isThere = (await consumer.get(queue)) !== false;
        // As in a crash. RabbitMQ 4.3 does not count what a consumer returns itself.
        await consumer.close();
      }
      expect(await channel.checkQueue(namesFor(bed.prefix).parkedQueue('tracking'))).toMatchObject({ messageCount: 1 });
    });
    await model.close();
    const parked = await ParkedEvents.open({ url, prefix: bed.prefix, subscribers: ['tracking'] });
    expect(await parked.list()).toMatchObject([{ id: event.id, name: 'messageDeleted', reason: 'delivery limit' }]);
    expect(await parked.requeue()).toHaveLength(1);
    await parked.close();
    const seen: string[] = [];
    await bed.startBus((created) => consumeAll(created, ({ id }) => void seen.push(id)));
    await eventually(() => expect(seen).toEqual([event.id]));
  });

  test('delivers again what was not handled when the connection broke, and nothing else', async () => {
    const [first, slow, ...later] = [13, 14, 15, 16].map(deletion) as [Event, Event, ...Event[]];
    const seen: string[] = [];
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const address = new URL(url);
    line = await openLine(Number(address.port), address.hostname);
    address.host = line.host;
    const bus = await bed.startBus(
      (created) =>
        consumeAll(created, ({ id }) => {
          seen.push(id);
          return id === slow.id ? released : undefined;
        }),
      address.href,
    );
    await bus.publish([first, slow, ...later]);
    await eventually(() => expect(seen).toHaveLength(4));
    // Two round trips: the second reply proves that the broker has processed earlier acks.
    const next = [17, 18].map(deletion);
    for (const event of next) {
      await bus.publish([event]);
      await eventually(() => expect(seen).toContain(event.id));
    }
    line.become({ state: 'cut' });
    await eventually(() => expect(bus.isConnected()).toBe(false));
    line.become({ state: 'good' });
    await eventually(() => expect(seen.filter((id) => id === slow.id)).toHaveLength(2));
    release();
    await eventually(() => expect(bus.isConnected()).toBe(true));
    const last = deletion(19);
    await bus.publish([last]);
    await eventually(() => expect(seen).toContain(last.id));
    const others = seen.filter((id) => !next.some((event) => event.id === id));
    expect(others.toSorted()).toEqual([first, slow, slow, ...later, last].map(({ id }) => id).toSorted());
  });

  test('delivers subscribed events to every replica, and no others', async () => {
    const heard: string[][] = [[], []];
    for (const list of heard) {
      await bed.startBus((bus) =>
        bus.subscribe({ sessionEnded: (_payload, event) => void list.push(event.id) }, () => undefined),
      );
    }
    const event = createEvent(randomUUID(), { $case: 'sessionEnded', value: { tokenHash: Buffer.alloc(32) } });
    await bed.buses[0]?.publish([deletion(4), event]);
    await eventually(() => expect(heard).toEqual([[event.id], [event.id]]));
  });
});
