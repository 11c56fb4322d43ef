import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Event } from '@najwa/proto/events';
import { connect, type Channel, type ChannelModel, type ConfirmChannel, type RecoveringChannelModel } from 'amqplib';
import { AppError } from '../errors/errors.js';
import type { Metrics, QueueDepth } from '../metrics/metrics.js';
import { currentRequestId, currentSpan, type Logger } from '../logging/logger.js';
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
  type Names,
  type Subscriber,
  type SUBSCRIPTIONS,
} from './topology.js';

export interface EventBusOptions extends BrokerConfig {
  service: string;
  logger: Logger;
  metrics: Metrics;
  tracing?: Tracing;
}

const CONFIRM_TIMEOUT_MS = 10_000;
const HEARTBEAT_SECONDS = 10;
const ASK_EACH_MS = 200;
/** The gateway promises to show changes within a second. */
const SILENT_AFTER_MS = 700;

interface Running {
  publisher: ConfirmChannel;
  /** Separate, because a missing queue closes its channel. */
  monitor: Channel;
  stopConsumers: (() => Promise<void>)[];
}

/** Reconnects and restores its consumers by itself. */
export class EventBus {
  readonly #options;
  readonly #names: Names;
  readonly #setups: ((model: ChannelModel) => Promise<() => Promise<void>>)[] = [];
  readonly #interruptionListeners: (() => void)[] = [];
  #connection: RecoveringChannelModel | undefined;
  #running: Running | undefined;
  #settingUp: Promise<void> | undefined;
  #connectedAt = Infinity;
  #heardAt = -Infinity;

  constructor(options: EventBusOptions) {
    this.#options = { subscribers: SUBSCRIBERS, tracing: NO_TRACING, ...options };
    this.#names = namesFor(options.prefix);
  }

  /** Consumes a durable queue, at least once. Call before `start`. */
  consume<S extends Subscriber>(subscriber: S, handlers: EventHandlers<(typeof SUBSCRIPTIONS)[S][number]>): void {
    const { logger, metrics, tracing } = this.#options;
    const names = this.#names;
    metrics.addQueues(() => this.#depthsOf(subscriber));
    this.#setups.push((model) =>
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
  }
  /**
   * Receives events while connected, for caches. Call before `start`.
   * @param onInterrupted events may have been missed: the connection was lost or restored
   */
  subscribe<Name extends EventName>(handlers: EventHandlers<Name>, onInterrupted: () => void): void {
    const { logger, metrics, tracing } = this.#options;
    this.#interruptionListeners.push(onInterrupted);
    this.#setups.push(async (model) => {
      const channel = await model.createChannel();
      const { queue } = await channel.assertQueue('', { exclusive: true, autoDelete: true, durable: false });
      for (const key of (Object.keys(handlers) as EventName[]).map((name) => bindingKey(name)))
        await channel.bindQueue(queue, this.#names.exchange, key);
      const stopConsumer = await startConsumer({ model, queue, handlers, logger, metrics, tracing });
      const stopping = new AbortController();
      channel.on('error', () => undefined);
      this.#listenFor(channel, queue, stopping.signal).catch(() => undefined);
      return async () => {
        stopping.abort();
        await stopConsumer();
      };
    });
  }
  async start(): Promise<void> {
    const { url, service, logger, metrics } = this.#options;
    const address = new URL(url);
    address.searchParams.set('heartbeat', String(HEARTBEAT_SECONDS));
    this.#connection = await connect(address.href, {
      clientProperties: { connection_name: service },
      recovery: {
        initialDelay: 100,
        maxDelay: 2_000,
        waitForConnect: false,
        setup: (model: ChannelModel) => (this.#settingUp = this.#setUp(model)),
      },
    });
    this.#connection.on('error', (error) => logger.warn({ err: error }, 'broker connection failed'));
    this.#connection.on('disconnect', () => {
      this.#running = undefined;
      metrics.dependencyErrors.inc({ dependency: 'broker' });
      this.#onInterrupted();
      logger.warn('broker disconnected');
    });
    this.#connection.on('connect', () => logger.info('broker connected'));
  }
  /**
   * Resolves once the broker has confirmed every event.
   * @throws {AppError} `unavailable` without a confirmation; any of the events may have arrived
   */
  async publish(events: readonly Event[]): Promise<void> {
    const failed = (await this.publishEach(events)).find((error) => error !== undefined);
    if (failed !== undefined)
      throw new AppError({ code: 'unavailable', message: 'The event broker did not confirm.', cause: failed });
  }
  /**
   * @returns one entry per event: the error, or undefined if confirmed
   * @throws {AppError} `unavailable` without a connection
   */
  async publishEach(events: readonly Event[]): Promise<unknown[]> {
    const channel = this.#running?.publisher;
    if (channel === undefined) throw new AppError({ code: 'unavailable', message: 'The event broker is unavailable.' });
    const results = await Promise.allSettled(events.map((event) => this.#publishOne(channel, event)));
    return results.map((result) => (result.status === 'rejected' ? result.reason : undefined) as unknown);
  }
  /** @param forMs minimum uninterrupted time */
  isConnected(forMs = 0): boolean {
    return this.#running !== undefined && performance.now() - this.#connectedAt >= forMs;
  }
  /** True while the broker answers. A broker that hangs counts as connected until it misses two heartbeats. */
  isReceiving(): boolean {
    return this.#running !== undefined && performance.now() - this.#heardAt < SILENT_AFTER_MS;
  }
  async stopConsuming(): Promise<void> {
    await Promise.all(this.#running?.stopConsumers.splice(0).map((stop) => stop()) ?? []);
  }
  async stop(): Promise<void> {
    // Deleting a queue while it is declared can break the broker's quorum queues.
    await Promise.race([this.#settingUp?.catch(() => undefined), delay(CONFIRM_TIMEOUT_MS, undefined, { ref: false })]);
    await this.stopConsuming();
    const current = this.#running;
    this.#running = undefined;
    if (current) {
      current.publisher.removeAllListeners('close');
      await current.publisher.close().catch(() => undefined);
    }
    await this.#connection?.close();
  }

  #onInterrupted(): void {
    for (const listener of this.#interruptionListeners) listener();
  }
  async #setUp(model: ChannelModel): Promise<void> {
    // The broker may close the connection during set-up, before other listeners exist.
    model.on('error', () => undefined);
    const publisher = await model.createConfirmChannel();
    // Recovery needs a closed connection to set everything up again.
    publisher.on('error', () => undefined);
    publisher.on('close', () => void model.close().catch(() => undefined));
    await assertTopology(publisher, this.#names, this.#options.subscribers);
    const stopConsumers = await Promise.all(this.#setups.map((apply) => apply(model)));
    const monitor = await model.createChannel();
    monitor.on('error', () => undefined);
    this.#running = { publisher, monitor, stopConsumers };
    this.#connectedAt = performance.now();
    this.#onInterrupted();
  }
  async #listenFor(channel: Channel, queue: string, signal: AbortSignal): Promise<void> {
    for (;;) {
      const asked = performance.now();
      await channel.checkQueue(queue);
      // Only events from before the question are certain to have arrived.
      this.#heardAt = asked;
      await delay(ASK_EACH_MS, undefined, { signal, ref: false });
    }
  }
  async #depthsOf(subscriber: Subscriber): Promise<QueueDepth[]> {
    const names = this.#names;
    const channel = this.#running?.monitor;
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
  }
  #publishOne(channel: ConfirmChannel, event: Event): Promise<void> {
    const { metrics, tracing } = this.#options;
    return new Promise((resolve, reject) => {
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
        this.#names.exchange,
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
  }
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
