import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { createDurations } from './durations.js';

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
  readonly #registers = [this.registry];
  readonly #caches = new Map<string, () => CacheCounts>();
  readonly #queues: (() => Promise<QueueDepth[]>)[] = [];
  readonly httpDuration = createDurations(this.registry, {
    name: 'http_request_duration_seconds',
    help: 'Time to answer HTTP requests, by operation id and status.',
    labels: ['operation', 'status'],
  });
  readonly grpcServerDuration = createDurations(this.registry, {
    name: 'grpc_server_duration_seconds',
    help: 'Time to answer gRPC calls, by method and status.',
    labels: ['method', 'status'],
  });
  /** By method path and status, at the client, retries included. */
  readonly grpcClientDuration = createDurations(this.registry, {
    name: 'grpc_client_duration_seconds',
    help: 'Time of gRPC calls to other services with their retries, by method and status.',
    labels: ['method', 'status'],
  });
  readonly eventsPublished = new Counter({
    name: 'events_published_total',
    help: 'Events confirmed by the broker.',
    labelNames: ['event'],
    registers: this.#registers,
  });
  readonly eventsConsumed = new Counter({
    name: 'events_consumed_total',
    help: 'Deliveries of events, by outcome: handled, delayed, failed or dropped.',
    labelNames: ['event', 'outcome'],
    registers: this.#registers,
  });
  readonly eventDelay = new Histogram({
    name: 'event_delay_seconds',
    help: 'Time from the cause of an event until it was handled.',
    labelNames: ['event'],
    buckets: DELAY_SECONDS,
    registers: this.#registers,
  });
  readonly clockSkew = new Gauge({
    name: 'clock_skew_seconds',
    help: 'Difference between the clocks of this process and of its database. Above two minutes nothing is removed.',
    registers: this.#registers,
  });
  readonly sweepsRefused = new Gauge({
    name: 'sweep_refused',
    help: '1 if more is due than one sweep may remove, and no operator has allowed it.',
    labelNames: ['sweep'],
    registers: this.#registers,
  });
  readonly outboxPending = new Gauge({
    name: 'outbox_pending',
    help: "Documents with events that wait to be published. The same in all of the service's replicas.",
    registers: this.#registers,
  });
  readonly outboxParked = new Gauge({
    name: 'outbox_parked',
    help: "Events that cannot be published and wait for a person. The same in all of the service's replicas.",
    registers: this.#registers,
  });
  readonly migrationsPending = new Gauge({
    name: 'migrations_pending',
    help: 'Data migrations that are not done yet.',
    registers: this.#registers,
  });
  readonly migratedDocuments = new Counter({
    name: 'migrated_documents_total',
    help: 'Documents changed by a data migration.',
    labelNames: ['migration'],
    registers: this.#registers,
  });
  readonly outboxOldestAge = new Gauge({
    name: 'outbox_oldest_age_seconds',
    help: "Age of the oldest event that waits to be published, or 0. The same in all of the service's replicas.",
    registers: this.#registers,
  });
  readonly limitsRefused = new Counter({
    name: 'limits_refused_total',
    help: 'Requests beyond a limit, by the name of the limit.',
    labelNames: ['limit'],
    registers: this.#registers,
  });
  readonly dependencyErrors = new Counter({
    name: 'dependency_errors_total',
    help: 'Calls that a dependency did not answer, or answered with an error of its own.',
    labelNames: ['dependency'],
    registers: this.#registers,
  });
  readonly pushNotices = new Counter({
    name: 'push_notices_total',
    help: 'Attempts to tell a browser, by outcome: delivered, gone, refused, busy, held or read.',
    labelNames: ['outcome'],
    registers: this.#registers,
  });
  readonly workQueueWaiting = new Gauge({
    name: 'work_queue_waiting',
    help: 'Tasks that wait for their turn.',
    labelNames: ['queue'],
    registers: this.#registers,
  });
  readonly workQueueRunning = new Gauge({
    name: 'work_queue_running',
    help: 'Tasks in progress.',
    labelNames: ['queue'],
    registers: this.#registers,
  });
  readonly workQueueWait = new Histogram({
    name: 'work_queue_wait_seconds',
    help: 'Time that tasks waited for their turn.',
    labelNames: ['queue'],
    buckets: LONG_SECONDS,
    registers: this.#registers,
  });
  readonly workQueueRun = new Histogram({
    name: 'work_queue_run_seconds',
    help: 'Time that tasks took, without the wait.',
    labelNames: ['queue'],
    buckets: LONG_SECONDS,
    registers: this.#registers,
  });
  readonly workQueueRefused = new Counter({
    name: 'work_queue_refused_total',
    help: 'Tasks that were refused, because too many waited already or for too long.',
    labelNames: ['queue'],
    registers: this.#registers,
  });

  constructor(service: string) {
    this.registry.setDefaultLabels({ service });
    collectDefaultMetrics({ register: this.registry });
    registerCaches(this.#registers, this.#caches);
    registerQueues(this.#registers, this.#queues);
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
      registers: this.#registers,
      collect() {
        this.set(read());
      },
    });
  }
}
