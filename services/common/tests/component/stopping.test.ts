import { afterAll, expect, test } from '@jest/globals';
import { EventBus, namesFor, SUBSCRIBERS } from '@najwa/common/amqp';
import { Metrics } from '@najwa/common/metrics';
import { eventually, openLine } from '@najwa/testing';
import { connect } from 'amqplib';
import { logger, openEventBed, url } from '../support/event-bed.js';

const bed = openEventBed(SUBSCRIBERS);
const broker = new URL(url);
const line = await openLine(Number(broker.port), broker.hostname);
broker.host = line.host;

afterAll(() => line.close());

test('a bus that is stopped while it declares its queues leaves no declaration under way', async () => {
  const names = namesFor(bed.prefix);
  const exists = async (queue: string): Promise<boolean> => {
    const model = await connect(url);
    const channel = await model.createChannel();
    channel.on('error', () => undefined);
    const found = await channel.checkQueue(queue).then(
      () => true,
      () => false,
    );
    await model.close();
    return found;
  };
  line.become({ state: 'late', milliseconds: 20 });
  const bus = new EventBus({
    ...{ url: broker.href, prefix: bed.prefix, service: 'test', logger },
    metrics: new Metrics('test'),
  });
  await bus.start();
  await eventually(async () => expect(await exists(names.parkedQueue('auth'))).toBe(true));
  await bus.stop();
  expect(await exists(names.parkedQueue('push'))).toBe(true);
});
