import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Metrics of one service. Not global, so that several services can run in one process. */
export interface Metrics {
  registry: Registry;
  httpDuration: Histogram<'method' | 'route' | 'status'>;
  grpcDuration: Histogram<'method' | 'status'>;
  eventsPublished: Counter<'event'>;
  eventsConsumed: Counter<'event' | 'outcome'>;
  outboxPending: Gauge;
  outboxParked: Gauge;
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    httpDuration: new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time to answer, by route.',
      labelNames: ['method', 'route', 'status'],
      buckets: SECONDS,
      registers,
    }),
    grpcDuration: new Histogram({
      name: 'grpc_server_duration_seconds',
      help: 'Time to answer, by method.',
      labelNames: ['method', 'status'],
      buckets: SECONDS,
      registers,
    }),
    eventsPublished: new Counter({
      name: 'events_published_total',
      help: 'Events confirmed by the broker.',
      labelNames: ['event'],
      registers,
    }),
    eventsConsumed: new Counter({
      name: 'events_consumed_total',
      help: 'Events handled, by outcome.',
      labelNames: ['event', 'outcome'],
      registers,
    }),
    outboxPending: new Gauge({
      name: 'outbox_pending',
      help: 'Documents with events that wait to be published.',
      registers,
    }),
    outboxParked: new Gauge({
      name: 'outbox_parked',
      help: 'Events that cannot be published and wait for a person.',
      registers,
    }),
  };
}
