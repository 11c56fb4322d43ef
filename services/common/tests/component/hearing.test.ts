import { afterAll, expect, test } from '@jest/globals';
import { eventually, openLine } from '@najwa/testing';
import { openEventBed, url } from '../support/event-bed.js';

const bed = openEventBed();
const broker = new URL(url);
const line = await openLine(Number(broker.port), broker.hostname);
broker.host = line.host;

afterAll(() => line.close());

test('a subscriber knows that a connected broker says nothing, and when it speaks again', async () => {
  const bus = await bed.startBus((created) => created.subscribe({}, () => undefined), broker.href);
  await eventually(() => expect(bus.isReceiving()).toBe(true));
  line.become({ state: 'silent' });
  await eventually(() => expect(bus.isReceiving()).toBe(false));
  expect(bus.isConnected()).toBe(true);
  line.become({ state: 'good' });
  await eventually(() => expect(bus.isReceiving()).toBe(true));
});
