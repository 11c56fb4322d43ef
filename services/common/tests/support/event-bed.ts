import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect } from '@jest/globals';
import { createEvent, EventBus, type Subscriber } from '@najwa/common/amqp';
import { createLogger } from '@najwa/common/logging';
import { Metrics } from '@najwa/common/metrics';
import { Event } from '@najwa/proto/events';
import { deleteTopology, eventually, requiredVariable } from '@najwa/testing';

export const logger = createLogger({ service: 'test', level: 'silent' });
export const url = requiredVariable('AMQP_URL');

/** A separate topology for each test. */
export interface EventBed {
  prefix: string;
  buses: EventBus[];
  /** Connected, to the broker at `address` if given. Stopped after the test. */
  startBus(prepare?: (bus: EventBus) => void, address?: string): Promise<EventBus>;
}

export function openEventBed(subscribers: readonly Subscriber[] = ['tracking']): EventBed {
  const bed: EventBed = {
    prefix: '',
    buses: [],
    async startBus(prepare = () => undefined, address = url) {
      const bus = new EventBus({
        url: address,
        prefix: bed.prefix,
        subscribers,
        service: 'test',
        logger,
        metrics: new Metrics('test'),
      });
      prepare(bus);
      bed.buses.push(bus);
      await bus.start();
      await eventually(() => expect(bus.isConnected()).toBe(true));
      return bus;
    },
  };
  beforeEach(() => {
    bed.prefix = `test-${randomUUID().slice(0, 8)}`;
    bed.buses = [];
  });
  afterEach(async () => {
    for (const bus of bed.buses) await bus.stop();
    await deleteTopology(url, bed.prefix, subscribers);
  });
  return bed;
}

export const deletion = (messageId: number): Event =>
  createEvent(randomUUID(), {
    $case: 'messageDeleted',
    value: { messageId, userId: 1, revision: 2, imageName: '', audioName: '' },
  });

/** One handler for all events of tracking's queue. */
export const consumeAll = (bus: EventBus, handle: (event: Event) => Promise<void> | void): void =>
  bus.consume('tracking', {
    messageCreated: (_payload, event) => handle(event),
    messageSetAside: (_payload, event) => handle(event),
    messageUpdated: (_payload, event) => handle(event),
    messageDeleted: (_payload, event) => handle(event),
    accountDeleted: (_payload, event) => handle(event),
  });
