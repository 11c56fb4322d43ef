import { Event } from '@najwa/proto/events';
import type { Channel, ChannelModel, ConfirmChannel, ConsumeMessage } from 'amqplib';
import { toAppError } from '../errors/errors.js';
import type { Metrics } from '../metrics/metrics.js';
import { isPerhapsFaultOfDatabase } from '../mongo/errors.js';
import { withRequestId, type Logger } from '../logging/logger.js';
import { TRACEPARENT_HEADER, type Tracing } from '../tracing/tracing.js';
import {
  RETRY_DELAYS_MS,
  topicOf,
  type EventName,
  type EventPayload,
  type Names,
  type Subscriber,
} from './topology.js';

/** Must be idempotent: an event may arrive twice or late. */
export type EventHandlers<Name extends EventName> = {
  [N in Name]: (payload: EventPayload<N>, event: Event) => Promise<void> | void;
};

export interface ConsumerOptions {
  model: ChannelModel;
  queue: string;
  /** Retry and parked queues. Without them, failed events are logged and dropped. */
  recover?: { names: Names; subscriber: Subscriber };
  handlers: Partial<EventHandlers<EventName>>;
  logger: Logger;
  metrics: Metrics;
  tracing: Tracing;
}

const PREFETCH = 50;
export const ATTEMPTS_HEADER = 'x-najwa-attempts';
/** All delayed attempts, outages included. Selects the delay. */
export const DELAYS_HEADER = 'x-najwa-delays';
export const REASON_HEADER = 'x-najwa-reason';
/** Milliseconds since 1970. */
export const PARKED_AT_HEADER = 'x-najwa-parked-at';

const TRACEPARENT_LENGTH = 55;

const MAX_ATTEMPTS = 8;

/** After an hour of delays, an error that may be an outage or a fault of the database counts as a fault. */
const MAX_DELAYS_IN_DOUBT = 120;

type Outcome = { event?: EventName } & ({ done: true } | { done: false; reason: string; transient: boolean });

/**
 * A quorum queue logs every frame, so consecutive deliveries are acknowledged together. A slow one does not delay later
 * ones.
 */
function createAcknowledger(channel: Channel, logger: Logger) {
  const open = new Map<ConsumeMessage, boolean>();
  let scheduled: NodeJS.Immediate | undefined;

  const flush = (): void => {
    scheduled = undefined;
    let last: ConsumeMessage | undefined;
    for (const [delivery, isFinished] of open) {
      if (!isFinished) break;
      last = delivery;
      open.delete(delivery);
    }
    try {
      if (last) channel.ack(last, true);
      for (const [delivery, isFinished] of open) {
        if (!isFinished) continue;
        open.delete(delivery);
        channel.ack(delivery);
      }
    } catch (error) {
      // The channel closed: the broker redelivers on the next one.
      logger.warn({ err: error }, 'deliveries not settled, the broker will redeliver them');
    }
  };

  return {
    begin: (delivery: ConsumeMessage) => void open.set(delivery, false),
    finish(delivery: ConsumeMessage): void {
      open.set(delivery, true);
      scheduled ??= setImmediate(flush);
    },
    flush,
  };
}

export async function startConsumer({
  model,
  queue,
  recover,
  handlers,
  logger,
  metrics,
  tracing,
}: ConsumerOptions): Promise<() => Promise<void>> {
  const channel = await model.createConfirmChannel();
  const inProgress = new Set<Promise<void>>();
  const acknowledger = createAcknowledger(channel, logger);
  let stopping = false;
  channel.on('error', () => undefined);
  channel.on('close', () => {
    if (!stopping) void model.close().catch(() => undefined);
  });
  await channel.prefetch(PREFETCH);

  const handle = async (delivery: ConsumeMessage): Promise<void> => {
    const outcome = await dispatch(delivery, { handlers, logger, metrics, tracing });
    const event = outcome.event ?? 'unknown';
    if (outcome.done) {
      metrics.eventsConsumed.inc({ event, outcome: 'handled' });
    } else if (recover) {
      await setAside(channel, delivery, recover, outcome);
      metrics.eventsConsumed.inc({ event, outcome: outcome.transient ? 'delayed' : 'failed' });
    } else {
      metrics.eventsConsumed.inc({ event, outcome: 'dropped' });
    }
    acknowledger.finish(delivery);
  };

  const { consumerTag } = await channel.consume(queue, (delivery) => {
    if (delivery === null) {
      if (!stopping) void model.close().catch(() => undefined);
      return;
    }
    acknowledger.begin(delivery);
    const task = handle(delivery)
      .catch((error: unknown) => logger.warn({ err: error }, 'delivery not settled, the broker will redeliver it'))
      .finally(() => inProgress.delete(task));
    inProgress.add(task);
  });

  return async () => {
    stopping = true;
    await channel.cancel(consumerTag).catch(() => undefined);
    await Promise.all(inProgress);
    acknowledger.flush();
    await channel.close().catch(() => undefined);
  };
}

async function dispatch(
  delivery: ConsumeMessage,
  { handlers, logger, metrics, tracing }: Pick<ConsumerOptions, 'handlers' | 'logger' | 'metrics' | 'tracing'>,
): Promise<Outcome> {
  let event: Event;
  try {
    event = Event.fromJSON(JSON.parse(delivery.content.toString('utf8')));
  } catch {
    return { done: false, reason: 'unreadable', transient: false };
  }
  const { payload } = event;
  const handler =
    payload && (handlers[payload.$case] as ((payload: unknown, event: Event) => Promise<void> | void) | undefined);
  if (!handler) return { done: false, reason: 'no handler', transient: false };
  const name = payload.$case;
  const { headers = {} } = delivery.properties;
  const traceparent: unknown = headers[TRACEPARENT_HEADER];
  const span = tracing.resume(
    typeof traceparent === 'string' ? traceparent : event.traceparent,
    `process ${topicOf(name)}`,
    'consumer',
    { 'messaging.system': 'rabbitmq', 'najwa.event': name },
  );
  const handle = async (): Promise<Outcome> => {
    try {
      await handler(payload.value, event);
      span?.end();
      const delayMs = Date.now() - (event.occurredAt?.getTime() ?? Number.NaN);
      // prom-client throws on NaN, which would repeat the event.
      if (!Number.isNaN(delayMs)) metrics.eventDelay.observe({ event: name }, Math.max(0, delayMs) / 1000);
      return { event: name, done: true };
    } catch (error) {
      const { code } = toAppError(error);
      span?.end({ error: code });
      logger.error({ err: error, event: name, eventId: event.id }, 'event not handled');
      const isInDoubt = isPerhapsFaultOfDatabase(error) && countIn(headers[DELAYS_HEADER]) >= MAX_DELAYS_IN_DOUBT;
      return { event: name, done: false, reason: code, transient: code === 'unavailable' && !isInDoubt };
    }
  };
  return withRequestId(event.requestId, handle, span);
}

/** Zero if malformed, so that no header keeps an event from being parked. */
export function countIn(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
}

async function setAside(
  channel: ConfirmChannel,
  delivery: ConsumeMessage,
  { names, subscriber }: NonNullable<ConsumerOptions['recover']>,
  { reason, transient }: { reason: string; transient: boolean },
): Promise<void> {
  const { headers = {} } = delivery.properties;
  const attempts = countIn(headers[ATTEMPTS_HEADER]) + (transient ? 0 : 1);
  const delays = countIn(headers[DELAYS_HEADER]) + 1;
  const traceparent: unknown = headers[TRACEPARENT_HEADER];
  const parked = !transient && (attempts >= MAX_ATTEMPTS || reason === 'unreadable' || reason === 'no handler');
  const delay = RETRY_DELAYS_MS[Math.min(delays, RETRY_DELAYS_MS.length) - 1] ?? RETRY_DELAYS_MS[0];
  const target = parked ? names.parkedQueue(subscriber) : names.retryQueue(subscriber, delay);
  await new Promise<void>((resolve, reject) => {
    channel.sendToQueue(
      target,
      delivery.content,
      {
        persistent: true,
        messageId: delivery.properties.messageId as string,
        contentType: 'application/json',
        // All headers must fit into one frame, or the broker closes the connection.
        headers: {
          ...(typeof traceparent === 'string' &&
            traceparent.length === TRACEPARENT_LENGTH && { [TRACEPARENT_HEADER]: traceparent }),
          [ATTEMPTS_HEADER]: attempts,
          [DELAYS_HEADER]: delays,
          [REASON_HEADER]: reason,
          ...(parked && { [PARKED_AT_HEADER]: Date.now() }),
        },
      },
      (error: unknown) => {
        if (error) reject(new Error('The broker refused an event sent to a retry or parked queue.', { cause: error }));
        else resolve();
      },
    );
  });
}
