import type { Event } from '@najwa/proto/events';
import type { Channel } from 'amqplib';

type Payload = NonNullable<Event['payload']>;

export type EventName = Payload['$case'];

export type EventPayload<Name extends EventName> = Extract<Payload, { $case: Name }>['value'];

/** The last one repeats. */
export const RETRY_DELAYS_MS = [1_000, 5_000, 30_000] as const;

/** Durable queues. Publishers and consumers both declare them, so the order of deployment does not matter. */
export const SUBSCRIPTIONS = {
  auth: ['profileVisited', 'userSeen', 'accountErased', 'filesUnclaimed'],
  messages: [
    'messageCreated',
    'messageSetAside',
    'messageRestored',
    'messageUpdated',
    'messageDeleted',
    'replySaved',
    'reportDecided',
    'visitsReached',
    'accountDeletionRequested',
    'accountKept',
    'accountDeleted',
    'filesUnclaimed',
  ],
  push: ['replySaved', 'messageDeleted', 'sessionEnded', 'accountDeletionRequested'],
  tracking: ['messageCreated', 'messageSetAside', 'messageUpdated', 'messageDeleted', 'accountDeleted'],
  media: [
    'messageCreated',
    'messageSetAside',
    'messageUpdated',
    'messageDeleted',
    'userUpdated',
    'accountDeleted',
    'filesAnswered',
  ],
  chatbot: ['accountDeleted'],
} as const satisfies Record<string, readonly EventName[]>;

export type Subscriber = keyof typeof SUBSCRIPTIONS;

export const SUBSCRIBERS: readonly Subscriber[] = Object.keys(SUBSCRIPTIONS) as Subscriber[];

export interface BrokerConfig {
  url: string;
  prefix: string;
  subscribers?: readonly Subscriber[];
}

/** messageCreated → message.created, messageSetAside → message.set_aside */
export const topicOf = (name: EventName): string =>
  name
    .replace(/[A-Z]/, (letter) => `.${letter.toLowerCase()}`)
    .replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const NEW_MESSAGES: ReadonlySet<EventName> = new Set(['messageCreated', 'messageSetAside']);

/** messageCreated → message.created.text, or message.created.file with a picture or sound; likewise messageSetAside. */
export function routingKey(payload: Payload): string {
  const key = topicOf(payload.$case);
  if (payload.$case !== 'messageCreated' && payload.$case !== 'messageSetAside') return key;
  const { imageName, audioName } = payload.value.message ?? {};
  return imageName || audioName ? `${key}.file` : `${key}.text`;
}

/** Media skips messages without a file, which are most. */
export function bindingKey(name: EventName, subscriber?: Subscriber): string {
  const key = topicOf(name);
  if (!NEW_MESSAGES.has(name)) return key;
  return subscriber === 'media' ? `${key}.file` : `${key}.*`;
}

export interface Names {
  exchange: string;
  queue(subscriber: Subscriber): string;
  retryQueue(subscriber: Subscriber, delayMs: number): string;
  parkedQueue(subscriber: Subscriber): string;
}

/** A queue's arguments cannot change under one name. */
const VERSION = 'v2';

export function namesFor(prefix: string): Names {
  const base = (subscriber: Subscriber): string => `${prefix}.${subscriber}`;
  const queue = (subscriber: Subscriber): string => `${base(subscriber)}.${VERSION}`;
  return {
    exchange: `${prefix}.events`,
    queue,
    retryQueue: (subscriber, delayMs) => `${queue(subscriber)}.retry-${delayMs}`,
    parkedQueue: (subscriber) => `${base(subscriber)}.parked`,
  };
}

const QUORUM = { 'x-queue-type': 'quorum' };

/**
 * Unacknowledged deliveries before an event is parked. RabbitMQ 4 has this limit by default and drops the event without
 * a dead-letter target.
 */
const DELIVERY_LIMIT = 20;

/** The last two make dead-lettering at-least-once. */
const deadLetterTo = (queue: string) => ({
  'x-dead-letter-exchange': '',
  'x-dead-letter-routing-key': queue,
  'x-dead-letter-strategy': 'at-least-once',
  'x-overflow': 'reject-publish',
});

export async function assertTopology(
  channel: Channel,
  names: Names,
  subscribers: readonly Subscriber[],
): Promise<void> {
  await channel.assertExchange(names.exchange, 'topic', { durable: true });
  for (const subscriber of subscribers) {
    await channel.assertQueue(names.parkedQueue(subscriber), { durable: true, arguments: QUORUM });
    await channel.assertQueue(names.queue(subscriber), {
      durable: true,
      arguments: { ...QUORUM, 'x-delivery-limit': DELIVERY_LIMIT, ...deadLetterTo(names.parkedQueue(subscriber)) },
    });
    for (const delay of RETRY_DELAYS_MS) {
      await channel.assertQueue(names.retryQueue(subscriber, delay), {
        durable: true,
        arguments: { ...QUORUM, 'x-message-ttl': delay, ...deadLetterTo(names.queue(subscriber)) },
      });
    }
    for (const key of SUBSCRIPTIONS[subscriber].map((event) => bindingKey(event, subscriber)))
      await channel.bindQueue(names.queue(subscriber), names.exchange, key);
  }
}
