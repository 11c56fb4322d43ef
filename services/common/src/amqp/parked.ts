import { Event } from '@najwa/proto/events';
import { connect, type ChannelModel, type ConfirmChannel, type GetMessage } from 'amqplib';
import { ATTEMPTS_HEADER, countIn, DELAYS_HEADER, PARKED_AT_HEADER, REASON_HEADER } from './consumer.js';
import type { Retention } from '../retention.js';
import {
  assertTopology,
  namesFor,
  SUBSCRIBERS,
  type BrokerConfig,
  type EventName,
  type Names,
  type Subscriber,
} from './topology.js';

export interface ParkedEvent {
  subscriber: Subscriber;
  queue: string;
  name: EventName | undefined;
  id: string | undefined;
  /** An error code, `unreadable`, `no handler` or `delivery limit`. */
  reason: string;
  attempts: number;
  at: Date | undefined;
}

interface Properties {
  messageId?: string;
  contentType?: string;
  headers?: Record<string, unknown>;
}

const readEvent = (content: Buffer): Event | undefined => {
  try {
    return Event.fromJSON(JSON.parse(content.toString('utf8')));
  } catch {
    return undefined;
  }
};

type Headers = Record<string, unknown>;

/** The broker parks an event itself after too many unacknowledged deliveries. */
function deathOf(headers: Headers): { reason?: string; time?: { value?: number } } | undefined {
  return ((headers['x-death'] ?? []) as ReturnType<typeof deathOf>[])[0];
}

function reasonOf(headers: Headers): string {
  if (deathOf(headers)?.reason === 'delivery_limit') return 'delivery limit';
  return typeof headers[REASON_HEADER] === 'string' ? headers[REASON_HEADER] : 'unknown';
}

function parkedAt(headers: Headers): Date | undefined {
  const seconds = deathOf(headers)?.time?.value;
  const milliseconds = headers[PARKED_AT_HEADER] ?? (seconds === undefined ? undefined : seconds * 1000);
  return typeof milliseconds === 'number' ? new Date(milliseconds) : undefined;
}

function describe(message: GetMessage, subscriber: Subscriber, queue: string): ParkedEvent {
  const { headers = {}, messageId } = message.properties as Properties;
  const event = readEvent(message.content);
  return {
    subscriber,
    queue,
    name: event?.payload?.$case,
    id: event?.id ?? messageId,
    reason: reasonOf(headers),
    attempts: countIn(headers[ATTEMPTS_HEADER]),
    at: event?.occurredAt ?? parkedAt(headers),
  };
}

const RETURNED_WITHOUT = new Set([
  ATTEMPTS_HEADER,
  DELAYS_HEADER,
  PARKED_AT_HEADER,
  REASON_HEADER,
  'x-death',
  'x-delivery-count',
]);

function headersFor(message: GetMessage, isReturned: boolean): Headers {
  const { headers = {} } = message.properties as Properties;
  if (!isReturned) return headers;
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !RETURNED_WITHOUT.has(name)));
}

type Destination = 'parked' | 'service' | 'nowhere';

export class ParkedEvents {
  private constructor(
    private readonly model: ChannelModel,
    private readonly channel: ConfirmChannel,
    private readonly names: Names,
    private readonly subscribers: readonly Subscriber[],
  ) {}

  static async open({ url, prefix, subscribers = SUBSCRIBERS }: BrokerConfig): Promise<ParkedEvents> {
    const names = namesFor(prefix);
    const model = await connect(url);
    const channel = await model.createConfirmChannel();
    await assertTopology(channel, names, subscribers);
    return new ParkedEvents(model, channel, names, subscribers);
  }

  /** Oldest first in each queue. */
  list(): Promise<ParkedEvent[]> {
    return this.#walk(() => 'parked');
  }
  /**
   * Returns events to their service's queue with a fresh retry count.
   * @param ids all by default
   */
  async requeue(ids?: readonly string[]): Promise<ParkedEvent[]> {
    const isWanted = ({ id }: ParkedEvent): boolean => ids === undefined || (id !== undefined && ids.includes(id));
    return (await this.#walk((event) => (isWanted(event) ? 'service' : 'parked'))).filter(isWanted);
  }
  /** Parked events may contain network addresses. @returns how many */
  async removeOlderThan(cutoff: Date): Promise<number> {
    const isOld = ({ at }: ParkedEvent): boolean => at !== undefined && at < cutoff;
    return (await this.#walk((event) => (isOld(event) ? 'nowhere' : 'parked'))).filter(isOld).length;
  }
  async close(): Promise<void> {
    await this.channel.close();
    await this.model.close();
  }

  /**
   * Republishes each event, to the same queue or its service, before acknowledging it: an interruption may duplicate
   * it, but not lose it. Without acknowledgement, the broker would count a failed delivery.
   */
  async #walk(destinationOf: (event: ParkedEvent) => Destination): Promise<ParkedEvent[]> {
    const { channel, names } = this;
    const seen: ParkedEvent[] = [];
    for (const subscriber of this.subscribers) {
      const queue = names.parkedQueue(subscriber);
      const { messageCount } = await channel.checkQueue(queue);
      for (let count = 0; count < messageCount; count += 1) {
        const message = await channel.get(queue);
        if (message === false) break;
        const event = describe(message, subscriber, queue);
        const destination = destinationOf(event);
        if (destination !== 'nowhere') {
          const { messageId, contentType } = message.properties as Properties;
          const isReturned = destination === 'service';
          channel.sendToQueue(isReturned ? names.queue(subscriber) : queue, message.content, {
            persistent: true,
            headers: headersFor(message, isReturned),
            ...(messageId !== undefined && { messageId }),
            ...(contentType !== undefined && { contentType }),
          });
          await channel.waitForConfirms();
        }
        channel.ack(message);
        seen.push(event);
      }
    }
    return seen;
  }
}

const SWEEP_INTERVAL_MS = 24 * 60 * 60 * 1000;

/** Reads all of them, so at most once a day. */
export function createParkedSweep(broker: BrokerConfig, retention: Retention): (now: Date) => Promise<void> {
  let nextAt = 0;
  return async (now) => {
    if (now.getTime() < nextAt) return;
    const parked = await ParkedEvents.open(broker);
    try {
      await parked.removeOlderThan(retention.cutoff(now));
    } finally {
      await parked.close();
    }
    nextAt = now.getTime() + SWEEP_INTERVAL_MS;
  };
}
