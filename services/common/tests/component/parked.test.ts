import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createEvent, EventBus, createParkedSweep, namesFor, runParked } from '@najwa/common/amqp';
import { createLogger } from '@najwa/common/logging';
import { Metrics } from '@najwa/common/metrics';
import { createRetention } from '@najwa/common/retention';
import { Event } from '@najwa/proto/events';
import { deleteTopology, eventually, requiredVariable } from '@najwa/testing';
import { connect } from 'amqplib';

const url = requiredVariable('AMQP_URL');
/** Its queues are all that there are. */
const subscribers = ['tracking'] as const;

let prefix: string;
let handled: string[];
let bus: EventBus;

beforeEach(async () => {
  prefix = `test-${randomUUID().slice(0, 8)}`;
  handled = [];
  const handle = (_payload: unknown, event: Event): void => void handled.push(event.id);
  bus = new EventBus({
    url,
    prefix,
    subscribers,
    service: 'test',
    logger: createLogger({ service: 'test', level: 'silent' }),
    metrics: new Metrics('test'),
  });
  bus.consume('tracking', {
    messageCreated: handle,
    messageSetAside: handle,
    messageUpdated: handle,
    messageDeleted: handle,
    accountDeleted: handle,
  });
  await bus.start();
  await eventually(() => expect(bus.isConnected()).toBe(true));
});

afterEach(async () => {
  await bus.stop();
  await deleteTopology(url, prefix, subscribers);
});

/** Adds events to tracking's parked queue as its consumer would. */
async function park(content: Buffer, messageId: string, reason: string, attempts: number): Promise<void> {
  const model = await connect(url);
  const channel = await model.createConfirmChannel();
  channel.sendToQueue(namesFor(prefix).parkedQueue('tracking'), content, {
    persistent: true,
    messageId,
    headers: { 'x-najwa-reason': reason, 'x-najwa-attempts': attempts },
  });
  await channel.waitForConfirms();
  await model.close();
}

async function parkDeletion(): Promise<string> {
  const id = randomUUID();
  const event = createEvent(id, {
    $case: 'messageDeleted',
    value: { messageId: 7, userId: 1, revision: 2, imageName: 'secret.webp', audioName: '' },
  });
  await park(Buffer.from(JSON.stringify(Event.toJSON(event))), id, 'internal', 8);
  return id;
}

async function parked(...args: string[]): Promise<{ status: number; said: string[]; complaints: string[] }> {
  const said: string[] = [];
  const complaints: string[] = [];
  const status = await runParked({
    environment: { AMQP_URL: url, AMQP_PREFIX: prefix, AMQP_SUBSCRIBERS: subscribers.join() },
    args,
    writeLine: (line) => said.push(line),
    writeError: (line) => complaints.push(line),
  });
  return { status, said, complaints };
}

describe('the retention of parked events', () => {
  const DAY_MS = 24 * 60 * 60 * 1000;
  const sweep = (now: Date) => createParkedSweep({ url, prefix, subscribers }, createRetention(30))(now);

  test('removes events when it is over, and no others', async () => {
    await parkDeletion();
    await sweep(new Date(Date.now() + 29 * DAY_MS));
    expect(await parked()).toMatchObject({ said: [expect.anything(), '1 parked'] });
    await sweep(new Date(Date.now() + 31 * DAY_MS));
    expect(await parked()).toMatchObject({ said: ['0 parked'] });
  });

  test('counts from the parking of an unreadable event', async () => {
    await park(Buffer.from('{"id": '), 'broken', 'unreadable', 1);
    await parked('--return');
    await eventually(async () => expect(await parked()).toMatchObject({ said: [expect.anything(), '1 parked'] }));
    await sweep(new Date(Date.now() + 29 * DAY_MS));
    expect(await parked()).toMatchObject({ said: [expect.anything(), '1 parked'] });
    await sweep(new Date(Date.now() + 31 * DAY_MS));
    expect(await parked()).toMatchObject({ said: ['0 parked'] });
  });
});

describe('npm run parked', () => {
  test('reports that nothing is parked', async () => {
    expect(await parked()).toEqual({ status: 0, said: ['0 parked'], complaints: [] });
  });

  // Threat model: rabbitmq-2.
  test('lists queue, event, id, attempts and reason without the payload, and removes nothing', async () => {
    const id = await parkDeletion();
    await park(Buffer.from('{"id": '), 'broken', 'unreadable', 1);
    const expected = {
      status: 0,
      said: [
        `${prefix}.tracking.parked  messageDeleted  ${id}  8 attempts  internal`,
        `${prefix}.tracking.parked  unreadable event  broken  1 attempt  unreadable`,
        '2 parked',
      ],
      complaints: [],
    };
    expect(await parked()).toEqual(expected);
    expect(await parked()).toEqual(expected);
    expect(handled).toEqual([]);
  });

  test('returns all events to their services', async () => {
    const ids = [await parkDeletion(), await parkDeletion()];
    expect(await parked('--return')).toMatchObject({
      status: 0,
      said: [expect.stringContaining(ids[0] ?? ''), expect.stringContaining(ids[1] ?? ''), '2 put back'],
    });
    await eventually(() => expect([...handled].sort()).toEqual([...ids].sort()));
    expect(await parked()).toMatchObject({ said: ['0 parked'] });
  });

  test('returns only the given events, and reports missing ones', async () => {
    const [wanted, other] = [await parkDeletion(), await parkDeletion()];
    expect(await parked('--return', wanted, 'nowhere')).toMatchObject({
      status: 1,
      said: [expect.stringContaining(wanted), '1 put back'],
      complaints: ['nowhere is not parked.'],
    });
    await eventually(() => expect(handled).toEqual([wanted]));
    expect(await parked()).toMatchObject({ said: [expect.stringContaining(other), '1 parked'] });
  });

  test('parks an event again if it still fails', async () => {
    await park(Buffer.from('{"id": '), 'broken', 'unreadable', 1);
    await parked('--return');
    await eventually(async () =>
      expect(await parked()).toMatchObject({ said: [expect.stringContaining('unreadable'), '1 parked'] }),
    );
  });

  test('reports errors in its configuration and arguments', async () => {
    const complaints: string[] = [];
    const run = (environment: Record<string, string>, args: string[]) =>
      runParked({ environment, args, writeLine: () => undefined, writeError: (line) => complaints.push(line) });
    expect(await run({}, [])).toBe(1);
    expect(await run({ AMQP_URL: url }, ['--delete'])).toBe(2);
    expect(complaints).toEqual([expect.stringContaining('AMQP_URL: is required'), expect.stringContaining('Usage:')]);
  });
});
