import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Event } from '@najwa/proto/events';
import { connect, type Channel, type ChannelModel, type ConfirmChannel, type RecoveringChannelModel } from 'amqplib';
import { AppError } from '../errors/errors.js';
import type { Logger } from '../logging/logger.js';
import type { Metrics, QueueDepth } from '../metrics/metrics.js';
import { currentRequestId, currentSpan } from '../logging/request-context.js';
import { errorTypeOf, NO_TRACING, TRACEPARENT_HEADER, type Tracing } from '../tracing/tracing.js';
import { startConsumer, type EventHandlers } from './consumer.js';
import {
  assertTopology,
  bindingKey,
  namesFor,
  RETRY_DELAYS_MS,
  routingKey,
  SUBSCRIBERS,
  topicOf,
  type BrokerConfig,
  type EventName,
  type Subscriber,
  type SUBSCRIPTIONS,
} from './topology.js';

export interface EventBusOptions extends BrokerConfig {
  service: string;
  logger: Logger;
  metrics: Metrics;
  tracing?: Tracing;
}

/** Reconnects and restores its consumers by itself. */
export interface EventBus {
  /** Consumes a durable queue, at least once. Call before `start`. */
  consume<S extends Subscriber>(subscriber: S, handlers: EventHandlers<(typeof SUBSCRIPTIONS)[S][number]>): void;
  /**
   * Receives events while connected, for caches. Call before `start`.
   * @param onInterrupted events may have been missed: the connection was lost or restored
   */
  subscribe<Name extends EventName>(handlers: EventHandlers<Name>, onInterrupted: () => void): void;
  start(): Promise<void>;
  /**
   * Resolves once the broker has confirmed every event.
   * @throws {AppError} `unavailable` without a confirmation; any of the events may have arrived
   */
  publish(events: readonly Event[]): Promise<void>;
  /**
   * @returns one entry per event: the error, or undefined if confirmed
   * @throws {AppError} `unavailable` without a connection
   */
  publishEach(events: readonly Event[]): Promise<unknown[]>;
  /** @param forMs minimum uninterrupted time */
  isConnected(forMs?: number): boolean;
  /** True while the broker answers. A broker that hangs counts as connected until it misses two heartbeats. */
  isReceiving(): boolean;
  stopConsuming(): Promise<void>;
  stop(): Promise<void>;
}

const CONFIRM_TIMEOUT_MS = 10_000;
const HEARTBEAT_SECONDS = 10;
const ASK_EACH_MS = 200;
/** The gateway promises to show changes within a second. */
const SILENT_AFTER_MS = 700;

interface Running {
  publisher: ConfirmChannel;
  /** Checks queue depths. Separate, because a missing queue closes its channel. */
  monitor: Channel;
  stopConsumers: (() => Promise<void>)[];
}

export function createEventBus({
  url,
  prefix,
  subscribers = SUBSCRIBERS,
  service,
  logger,
  metrics,
  tracing = NO_TRACING,
}: EventBusOptions): EventBus {
  const names = namesFor(prefix);
  const setups: ((model: ChannelModel) => Promise<() => Promise<void>>)[] = [];
  const interruptionListeners: (() => void)[] = [];
  let connection: RecoveringChannelModel | undefined;
  let running: Running | undefined;
  let settingUp: Promise<void> | undefined;
  let connectedAt = Infinity;
  let heardAt = -Infinity;

  const onInterrupted = (): void => interruptionListeners.forEach((listener) => listener());

  const setUp = async (model: ChannelModel): Promise<void> => {
    // The broker may close the connection during set-up, before other listeners exist.
    model.on('error', () => undefined);
    const publisher = await model.createConfirmChannel();
    // Recovery needs a closed connection to set everything up again.
    publisher.on('error', () => undefined);
    publisher.on('close', () => void model.close().catch(() => undefined));
    await assertTopology(publisher, names, subscribers);
    const stopConsumers = await Promise.all(setups.map((apply) => apply(model)));
    const monitor = await model.createChannel();
    monitor.on('error', () => undefined);
    running = { publisher, monitor, stopConsumers };
    connectedAt = performance.now();
    onInterrupted();
  };

  const listenFor = async (channel: Channel, queue: string, signal: AbortSignal): Promise<void> => {
    for (;;) {
      const asked = performance.now();
      await channel.checkQueue(queue);
      // Only events from before the question are certain to have arrived.
      heardAt = asked;
      await delay(ASK_EACH_MS, undefined, { signal, ref: false });
    }
  };

  const depthsOf = async (subscriber: Subscriber): Promise<QueueDepth[]> => {
    const channel = running?.monitor;
    if (channel === undefined) return [];
    const queues: [QueueDepth['queue'], string][] = [
      ['main', names.queue(subscriber)],
      ...RETRY_DELAYS_MS.map((delay): [QueueDepth['queue'], string] => ['retry', names.retryQueue(subscriber, delay)]),
      ['parked', names.parkedQueue(subscriber)],
    ];
    try {
      const counts = await Promise.all(queues.map(async ([, name]) => (await channel.checkQueue(name)).messageCount));
      const total = (kind: QueueDepth['queue']): number =>
        queues.reduce((sum, [queue], index) => (queue === kind ? sum + (counts[index] ?? 0) : sum), 0);
      return (['main', 'retry', 'parked'] as const).map((queue) => ({ subscriber, queue, messages: total(queue) }));
    } catch {
      return [];
    }
  };

  const publishOne = (channel: ConfirmChannel, event: Event): Promise<void> =>
    new Promise((resolve, reject) => {
      const { payload } = event;
      if (payload === undefined) throw new Error('An event without a payload cannot be published.');
      const name = payload.$case;
      const span = tracing.resume(event.traceparent, `publish ${topicOf(name)}`, 'producer', {
        'messaging.system': 'rabbitmq',
        'najwa.event': name,
      });
      const fail = (error: Error): void => {
        clearTimeout(timeout);
        metrics.dependencyErrors.inc({ dependency: 'broker' });
        span?.end({ error: errorTypeOf(error) });
        reject(error);
      };
      const timeout = setTimeout(() => fail(new Error('The broker did not confirm in time.')), CONFIRM_TIMEOUT_MS);
      channel.publish(
        names.exchange,
        routingKey(payload),
        Buffer.from(JSON.stringify(Event.toJSON(event))),
        {
          persistent: true,
          messageId: event.id,
          contentType: 'application/json',
          ...(span && { headers: { [TRACEPARENT_HEADER]: span.traceparent } }),
        },
        (error: unknown) => {
          if (error) fail(new Error('The broker refused an event.', { cause: error }));
          else {
            clearTimeout(timeout);
            span?.end();
            metrics.eventsPublished.inc({ event: name });
            resolve();
          }
        },
      );
    });

  const publishEach = async (events: readonly Event[]): Promise<unknown[]> => {
    const channel = running?.publisher;
    if (channel === undefined) throw new AppError({ code: 'unavailable', message: 'The event broker is unavailable.' });
    const results = await Promise.allSettled(events.map((event) => publishOne(channel, event)));
    return results.map((result) => (result.status === 'rejected' ? result.reason : undefined) as unknown);
  };

  return {
    consume(subscriber, handlers) {
      metrics.addQueues(() => depthsOf(subscriber));
      setups.push((model) =>
        startConsumer({
          model,
          queue: names.queue(subscriber),
          recover: { names, subscriber },
          handlers,
          logger,
          metrics,
          tracing,
        }),
      );
    },
    subscribe(handlers, listener) {
      interruptionListeners.push(listener);
      setups.push(async (model) => {
        const channel = await model.createChannel();
        const { queue } = await channel.assertQueue('', { exclusive: true, autoDelete: true, durable: false });
        for (const key of (Object.keys(handlers) as EventName[]).map((name) => bindingKey(name)))
          await channel.bindQueue(queue, names.exchange, key);
        const stopConsumer = await startConsumer({ model, queue, handlers, logger, metrics, tracing });
        const stopping = new AbortController();
        channel.on('error', () => undefined);
        listenFor(channel, queue, stopping.signal).catch(() => undefined);
        return async () => {
          stopping.abort();
          await stopConsumer();
        };
      });
    },
    async start() {
      const address = new URL(url);
      address.searchParams.set('heartbeat', String(HEARTBEAT_SECONDS));
      connection = await connect(address.href, {
        clientProperties: { connection_name: service },
        recovery: {
          initialDelay: 100,
          maxDelay: 2_000,
          waitForConnect: false,
          setup: (model: ChannelModel) => (settingUp = setUp(model)),
        },
      });
      connection.on('error', (error) => logger.warn({ err: error }, 'broker connection failed'));
      connection.on('disconnect', () => {
        running = undefined;
        metrics.dependencyErrors.inc({ dependency: 'broker' });
        onInterrupted();
        logger.warn('broker disconnected');
      });
      connection.on('connect', () => logger.info('broker connected'));
    },
    async publish(events) {
      const failed = (await publishEach(events)).find((error) => error !== undefined);
      if (failed !== undefined)
        throw new AppError({ code: 'unavailable', message: 'The event broker did not confirm.', cause: failed });
    },
    publishEach,
    isConnected: (forMs = 0) => running !== undefined && performance.now() - connectedAt >= forMs,
    isReceiving: () => running !== undefined && performance.now() - heardAt < SILENT_AFTER_MS,
    async stopConsuming() {
      const current = running;
      if (current === undefined) return;
      await Promise.all(current.stopConsumers.splice(0).map((stop) => stop()));
    },
    async stop() {
      // Deleting a queue while it is declared can break the broker's quorum queues.
      await Promise.race([settingUp?.catch(() => undefined), delay(CONFIRM_TIMEOUT_MS, undefined, { ref: false })]);
      await this.stopConsuming();
      const current = running;
      running = undefined;
      if (current) {
        current.publisher.removeAllListeners('close');
        await current.publisher.close().catch(() => undefined);
      }
      await connection?.close();
    },
  };
}

/** Answers `account.deleted` once a service has deleted its part. */
export const accountErased = (userId: number, service: Subscriber): Event =>
  createEvent(randomUUID(), { $case: 'accountErased', value: { userId, service } });

export function createEvent(id: string, payload: NonNullable<Event['payload']>): Event {
  return {
    id,
    occurredAt: new Date(),
    requestId: currentRequestId() ?? '',
    traceparent: currentSpan()?.traceparent ?? '',
    payload,
  };
}
