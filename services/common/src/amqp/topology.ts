import type { Event } from '@najwa/proto/events';
import type { Channel } from 'amqplib';

type Payload = NonNullable<Event['payload']>;

/** The name of an event's field in the contract, such as messageCreated. */
export type EventName = Payload['$case'];

/** The payload of an event by its name. */
export type EventPayload<Name extends EventName> = Extract<Payload, { $case: Name }>['value'];

/** Delays before an event that could not be handled is tried again, in order; the last one repeats. */
export const RETRY_DELAYS_MS = [1_000, 5_000, 30_000] as const;

/**
 * The durable queues: which service must get which events, whether it runs now or not. Publishers declare them as well
 * as consumers, so that it does not matter which of them was deployed first.
 */
export const SUBSCRIPTIONS = {
  auth: ['profileVisited', 'userSeen'],
  tracking: ['messageCreated', 'messageUpdated', 'messageDeleted'],
  media: ['messageCreated', 'messageUpdated', 'messageDeleted', 'userUpdated'],
} as const satisfies Record<string, readonly EventName[]>;

export type Subscriber = keyof typeof SUBSCRIPTIONS;

/** messageCreated → message.created */
export function routingKey(name: EventName): string {
  return name.replace(/[A-Z]/g, (letter) => `.${letter.toLowerCase()}`);
}

export interface Names {
  exchange: string;
  queue(subscriber: Subscriber): string;
  retryQueue(subscriber: Subscriber, delayMs: number): string;
  parkedQueue(subscriber: Subscriber): string;
}

/** @param prefix keeps systems that share a broker apart */
export function namesFor(prefix: string): Names {
  const queue = (subscriber: Subscriber): string => `${prefix}.${subscriber}`;
  return {
    exchange: `${prefix}.events`,
    queue,
    retryQueue: (subscriber, delayMs) => `${queue(subscriber)}.retry-${delayMs}`,
    parkedQueue: (subscriber) => `${queue(subscriber)}.parked`,
  };
}

const QUORUM = { 'x-queue-type': 'quorum' };

/** Declares the exchange and every durable queue. Safe to repeat. */
export async function assertTopology(channel: Channel, names: Names): Promise<void> {
  await channel.assertExchange(names.exchange, 'topic', { durable: true });
  for (const subscriber of Object.keys(SUBSCRIPTIONS) as Subscriber[]) {
    await channel.assertQueue(names.queue(subscriber), { durable: true, arguments: QUORUM });
    await channel.assertQueue(names.parkedQueue(subscriber), { durable: true, arguments: QUORUM });
    for (const delay of RETRY_DELAYS_MS) {
      await channel.assertQueue(names.retryQueue(subscriber, delay), {
        durable: true,
        arguments: {
          ...QUORUM,
          'x-message-ttl': delay,
          'x-dead-letter-exchange': '',
          'x-dead-letter-routing-key': names.queue(subscriber),
          // Only with these two does the broker promise that nothing is lost on the way back.
          'x-dead-letter-strategy': 'at-least-once',
          'x-overflow': 'reject-publish',
        },
      });
    }
    for (const event of SUBSCRIPTIONS[subscriber])
      await channel.bindQueue(names.queue(subscriber), names.exchange, routingKey(event));
  }
}
