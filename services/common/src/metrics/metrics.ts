import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { Durations } from './durations.js';

export interface CacheCounts {
  hits: number;
  misses: number;
  /** Hits that could not be revalidated during an outage. */
  stale?: number;
}

export interface QueueDepth {
  subscriber: string;
  queue: 'main' | 'retry' | 'parked';
  messages: number;
}

const LONG_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];
const DELAY_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800];

function registerCaches(registers: Registry[], caches: ReadonlyMap<string, () => CacheCounts>): void {
  new Counter({
    name: 'cache_requests_total',
    help: 'Look-ups in a cache, by outcome: hit or miss.',
    labelNames: ['cache', 'outcome'],
    registers,
    collect() {
      this.reset();
      for (const [cache, read] of caches) {
        const { hits, misses } = read();
        this.inc({ cache, outcome: 'hit' }, hits);
        this.inc({ cache, outcome: 'miss' }, misses);
      }
    },
  });
  new Counter({
    name: 'cache_stale_total',
    help: 'Hits in a cache that could not be renewed, because their service is away.',
    labelNames: ['cache'],
    registers,
    collect() {
      this.reset();
      for (const [cache, read] of caches) this.inc({ cache }, read().stale ?? 0);
    },
  });
}

function registerQueues(registers: Registry[], queues: readonly (() => Promise<QueueDepth[]>)[]): void {
  new Gauge({
    name: 'event_queue_messages',
    help: "Events in the queues of this subscriber: main, retry or parked. The same in all of the service's replicas.",
    labelNames: ['subscriber', 'queue'],
    registers,
    async collect() {
      const depths = await Promise.all(queues.map((read) => read()));
      this.reset();
      for (const { subscriber, queue, messages } of depths.flat()) this.set({ subscriber, queue }, messages);
    },
  });
}

/** Not global: several services may run in one process. */
export class Metrics {
  readonly registry = new Registry();
  readonly #caches = new Map<string, () => CacheCounts>();
  readonly #queues: (() => Promise<QueueDepth[]>)[] = [];
  readonly httpDuration = new Durations(
    this.registry,
    'http_request_duration_seconds',
    'Time to answer HTTP requests, by operation id and status.',
    ['operation', 'status'],
  );
  readonly grpcServerDuration = new Durations(
    this.registry,
    'grpc_server_duration_seconds',
    'Time to answer gRPC calls, by method and status.',
    ['method', 'status'],
  );
  readonly grpcClientDuration = new Durations(
    this.registry,
    'grpc_client_duration_seconds',
    'Time of gRPC calls to other services with their retries, by method and status.',
    ['method', 'status'],
  );
  readonly eventsPublished = this.#counter('events_published_total', 'Events confirmed by the broker.', 'event');
  readonly eventsConsumed = this.#counter(
    'events_consumed_total',
    'Deliveries of events, by outcome: handled, delayed, failed or dropped.',
    'event',
    'outcome',
  );
  readonly eventDelay = this.#histogram(
    DELAY_SECONDS,
    'event_delay_seconds',
    'Time from the cause of an event until it was handled.',
    'event',
  );
  readonly clockSkew = this.#gauge(
    'clock_skew_seconds',
    'Difference between the clocks of this process and of its database. Above two minutes nothing is removed.',
  );
  readonly sweepsRefused = this.#gauge(
    'sweep_refused',
    '1 if more is due than one sweep may remove, and no operator has allowed it.',
    'sweep',
  );
  readonly outboxPending = this.#gauge(
    'outbox_pending',
    "Documents with events that wait to be published. The same in all of the service's replicas.",
  );
  readonly outboxParked = this.#gauge(
    'outbox_parked',
    "Events that cannot be published and wait for a person. The same in all of the service's replicas.",
  );
  readonly migrationsPending = this.#gauge('migrations_pending', 'Data migrations that are not done yet.');
  readonly migratedDocuments = this.#counter(
    'migrated_documents_total',
    'Documents changed by a data migration.',
    'migration',
  );
  readonly outboxOldestAge = this.#gauge(
    'outbox_oldest_age_seconds',
    "Age of the oldest event that waits to be published, or 0. The same in all of the service's replicas.",
  );
  readonly limitsRefused = this.#counter(
    'limits_refused_total',
    'Requests beyond a limit, by the name of the limit.',
    'limit',
  );
  readonly dependencyErrors = this.#counter(
    'dependency_errors_total',
    'Calls that a dependency did not answer, or answered with an error of its own.',
    'dependency',
  );
  readonly pushNotices = this.#counter(
    'push_notices_total',
    'Attempts to tell a browser, by outcome: delivered, gone, refused, busy, held or read.',
    'outcome',
  );
  readonly workQueueWaiting = this.#gauge('work_queue_waiting', 'Tasks that wait for their turn.', 'queue');
  readonly workQueueRunning = this.#gauge('work_queue_running', 'Tasks in progress.', 'queue');
  readonly workQueueWait = this.#histogram(
    LONG_SECONDS,
    'work_queue_wait_seconds',
    'Time that tasks waited for their turn.',
    'queue',
  );
  readonly workQueueRun = this.#histogram(
    LONG_SECONDS,
    'work_queue_run_seconds',
    'Time that tasks took, without the wait.',
    'queue',
  );
  readonly workQueueRefused = this.#counter(
    'work_queue_refused_total',
    'Tasks that were refused, because too many waited already or for too long.',
    'queue',
  );

  constructor(service: string) {
    this.registry.setDefaultLabels({ service });
    collectDefaultMetrics({ register: this.registry });
    registerCaches([this.registry], this.#caches);
    registerQueues([this.registry], this.#queues);
  }

  /** `read` is called when metrics are read. None without the broker. */
  addQueues(read: () => Promise<QueueDepth[]>): void {
    this.#queues.push(read);
  }
  addCache(cache: string, read: () => CacheCounts): void {
    this.#caches.set(cache, read);
  }
  addGauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      collect() {
        this.set(read());
      },
    });
  }

  #counter<Label extends string>(name: string, help: string, ...labelNames: Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }
  #gauge<Label extends string>(name: string, help: string, ...labelNames: Label[]): Gauge<Label> {
    return new Gauge({ name, help, labelNames, registers: [this.registry] });
  }
  #histogram<Label extends string>(buckets: number[], name: string, help: string, label: Label): Histogram<Label> {
    return new Histogram({ name, help, labelNames: [label], buckets, registers: [this.registry] });
  }
}
