import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { namesFor, SUBSCRIBERS, SUBSCRIPTIONS } from '@najwa/common/amqp';
import { connect, type Options } from 'amqplib';
import type { TestSystem } from '@najwa/testing';
import { PATIENCE_MS, type Judge } from './judge.js';
import { newPerson } from './people.js';
import { mutate, type Random } from './random.js';

const ROUTING_KEYS = [
  'message.created.text',
  'message.created.file',
  'message.deleted',
  'user.updated',
  'session.ended',
  'x.y',
  '',
];
const PAYLOADS = [...new Set<string>(Object.values(SUBSCRIPTIONS).flat()), 'eventOfTheNextVersion', '__proto__'];
const VALUES: readonly unknown[] = [null, [], 'text', -1, 1e300, 'NaN', '9'.repeat(30), { $gt: 0 }, '\0', true, {}];

/** An event whose fields have values that no publisher sends. */
function strangeEvent({ pick, below }: Random): Buffer {
  const value = Object.fromEntries(
    ['message', 'messageId', 'userId', 'revision', 'imageName', 'reply', 'sender', 'counts', 'ids', 'tokenHash']
      .filter(() => below(2) === 0)
      .map((name) => [name, pick(VALUES)]),
  );
  return Buffer.from(
    JSON.stringify({
      id: pick<unknown>([randomUUID(), '', 7, null, 'a'.repeat(100_000)]),
      occurredAt: pick<unknown>([new Date(0).toISOString(), 'yesterday', -1, null, '+999999-01-01T00:00:00Z']),
      requestId: pick<unknown>(['', 'a'.repeat(10_000), '\n', null]),
      traceparent: pick<unknown>(['', '00-x', 'a'.repeat(10_000), 3]),
      version: pick<unknown>([2, 'v9']),
      [pick(PAYLOADS)]: pick<unknown>([value, ...VALUES]),
    }),
  );
}

function strangeContent(random: Random): Buffer {
  const { pick, below, bytes } = random;
  return pick([
    () => strangeEvent(random),
    () => strangeEvent(random),
    () => mutate(strangeEvent(random), random),
    () => bytes(below(2_000)),
    () => Buffer.from(pick(['', 'null', '[]', '{}', '7', '"text"', '{"id": '])),
    () => Buffer.from('['.repeat(100_000)),
    () => Buffer.from(JSON.stringify({ id: randomUUID(), messageDeleted: { imageName: 'a'.repeat(2_000_000) } })),
  ])();
}

function strangeProperties({ pick, below }: Random): Options.Publish {
  if (below(2) === 0) return {};
  const counts: readonly unknown[] = ['many', -1e9, Number.MAX_SAFE_INTEGER, 3, null, { a: 1 }];
  return {
    messageId: pick(['', 'm'.repeat(255), randomUUID()]),
    headers: {
      'x-najwa-attempts': pick(counts),
      'x-najwa-delays': pick(counts),
      'x-najwa-reason': pick<unknown>(['', 7, 'r'.repeat(1_000)]),
      traceparent: pick<unknown>(['00-x', 7, 't'.repeat(1_000)]),
      'x-death': pick<unknown>([[], 'x', [{ reason: 7 }]]),
      ...(below(8) === 0 && { large: 'h'.repeat(63_000) }),
    },
  };
}

/** A message still becomes a notification. */
async function checkNext(system: TestSystem, judge: Judge): Promise<void> {
  const begun = performance.now();
  const { cookie = '' } = await newPerson(system, 'user');
  for (;;) {
    const { body } = await system.request('GET', '/api/notifications', { cookie });
    if (Array.isArray(body) && body.length > 0) return;
    if (performance.now() - begun > PATIENCE_MS) {
      judge.fault(`after strange events, a message is not told of in ${PATIENCE_MS / 1000} seconds`);
      return;
    }
    await pause(100);
  }
}

export interface EventsOptions {
  system: TestSystem;
  judge: Judge;
  random: Random;
  url: string;
  prefix: string;
  until: number;
  signal: AbortSignal;
}

/** Strange bytes and events on the exchange and in every queue of our services. */
export async function sendEvents({ system, judge, random, url, prefix, until, signal }: EventsOptions): Promise<void> {
  const names = namesFor(prefix);
  const model = await connect(url);
  const channel = await model.createConfirmChannel();
  try {
    do {
      for (let count = 0; count < 50; count += 1) {
        const subscriber = random.pick([...SUBSCRIBERS, undefined]);
        const [content, properties] = [strangeContent(random), strangeProperties(random)];
        if (subscriber === undefined) channel.publish(names.exchange, random.pick(ROUTING_KEYS), content, properties);
        else channel.sendToQueue(names.queue(subscriber), content, properties);
        judge.count('AMQP', `event to ${subscriber ?? 'the exchange'}`, 'sent');
      }
      await channel.waitForConfirms();
      await checkNext(system, judge);
    } while (performance.now() < until && !signal.aborted);
    for (const subscriber of SUBSCRIBERS) {
      const deadline = performance.now() + PATIENCE_MS;
      while ((await channel.checkQueue(names.queue(subscriber))).messageCount > 0) {
        if (performance.now() > deadline) {
          judge.fault(`the queue of ${subscriber} is not empty after ${PATIENCE_MS / 1000} seconds`);
          break;
        }
        await pause(200);
      }
    }
    for (const subscriber of SUBSCRIBERS) {
      const { messageCount } = await channel.checkQueue(names.parkedQueue(subscriber));
      judge.note(`${messageCount} events of ${subscriber} are parked`);
    }
  } finally {
    await model.close();
  }
}
