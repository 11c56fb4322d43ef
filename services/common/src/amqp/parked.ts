import { Event } from '@najwa/proto/events';
import { connect, type ChannelModel, type ConfirmChannel, type GetMessage } from 'amqplib';
import { ATTEMPTS_HEADER, DELAYS_HEADER, REASON_HEADER } from './consumer.js';
import { assertTopology, namesFor, SUBSCRIPTIONS, type EventName, type Names, type Subscriber } from './topology.js';

/** Metadata of an event that a service could not handle. Never includes the payload. */
export interface ParkedEvent {
  subscriber: Subscriber;
  queue: string;
  /** Undefined if the message is unreadable. */
  name: EventName | undefined;
  id: string | undefined;
  /** The error code, or `unreadable`, `no handler` or `delivery limit`. */
  reason: string;
  attempts: number;
}

/** The parked queues of all services. */
export interface ParkedEvents {
  /** Lists parked events, oldest first in each queue. Does not remove them. */
  list(): Promise<ParkedEvent[]>;
  /**
   * Returns events to their service's queue with a fresh retry count.
   * @param ids events to return; all if omitted
   * @returns the returned events
   */
  requeue(ids?: readonly string[]): Promise<ParkedEvent[]>;
  close(): Promise<void>;
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

/** The broker parks an event itself when its deliveries are never acknowledged. It records that in `x-death`. */
function reasonOf(headers: Record<string, unknown>): string {
  const [death] = (headers['x-death'] ?? []) as { reason?: string; queue?: string }[];
  if (death?.reason === 'delivery_limit') return 'delivery limit';
  return typeof headers[REASON_HEADER] === 'string' ? headers[REASON_HEADER] : 'unknown';
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
    attempts: Number(headers[ATTEMPTS_HEADER] ?? 0),
  };
}

/** A returned event starts with a fresh retry count. */
const RETURNED_WITHOUT = new Set([ATTEMPTS_HEADER, DELAYS_HEADER, REASON_HEADER, 'x-death', 'x-delivery-count']);

function headersFor(message: GetMessage, isReturned: boolean): Record<string, unknown> {
  const { headers = {} } = message.properties as Properties;
  if (!isReturned) return headers;
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !RETURNED_WITHOUT.has(name)));
}

/**
 * Reads each waiting event and republishes it, either to the end of the same queue or to its service, before
 * acknowledging it. An interruption can therefore duplicate an event but never lose it. Reading without acknowledging
 * would count as a failed delivery, and the broker drops an event after too many of those.
 */
async function walk(
  channel: ConfirmChannel,
  names: Names,
  isReturned: (event: ParkedEvent) => boolean,
): Promise<ParkedEvent[]> {
  const seen: ParkedEvent[] = [];
  for (const subscriber of Object.keys(SUBSCRIPTIONS) as Subscriber[]) {
    const queue = names.parkedQueue(subscriber);
    const { messageCount } = await channel.checkQueue(queue);
    for (let count = 0; count < messageCount; count += 1) {
      const message = await channel.get(queue);
      if (message === false) break;
      const event = describe(message, subscriber, queue);
      const returned = isReturned(event);
      const { messageId, contentType } = message.properties as Properties;
      channel.sendToQueue(returned ? names.queue(subscriber) : queue, message.content, {
        persistent: true,
        headers: headersFor(message, returned),
        ...(messageId !== undefined && { messageId }),
        ...(contentType !== undefined && { contentType }),
      });
      await channel.waitForConfirms();
      channel.ack(message);
      seen.push(event);
    }
  }
  return seen;
}

/** Opens the parked queues of the system with the given prefix. */
export async function openParkedEvents({ url, prefix }: { url: string; prefix: string }): Promise<ParkedEvents> {
  const names = namesFor(prefix);
  const model: ChannelModel = await connect(url);
  const channel = await model.createConfirmChannel();
  await assertTopology(channel, names);
  return {
    list: () => walk(channel, names, () => false),
    async requeue(ids) {
      const isWanted = ({ id }: ParkedEvent): boolean => ids === undefined || (id !== undefined && ids.includes(id));
      return (await walk(channel, names, isWanted)).filter(isWanted);
    },
    async close() {
      await channel.close();
      await model.close();
    },
  };
}
