import {
  createDataKeys,
  createDatabase,
  createEnvelopeOpener,
  createEnvironmentKeyWrapper,
  createEventBus,
  createIdentityVerifier,
  createLogger,
  createMetrics,
  createParkedSweep,
  createRetention,
  createSweepBounds,
  createTracing,
  type DataKeys,
  type Database,
  type EventBus,
  type IdentityVerifier,
  type Logger,
  type Metrics,
  type Retention,
  type SweepBounds,
  type Tracing,
} from '@najwa/common';
import { createLocator, type Locator } from './clients/locator.js';
import type { TrackingConfig } from './config.js';
import { createRecordRepository, type RecordRepository } from './db/records.js';
import { createTraceSeals, type TraceSeals } from './domain/trace-seals.js';

export interface TrackingContext {
  bounds: SweepBounds;
  logger: Logger;
  metrics: Metrics;
  tracing: Tracing;
  identities: IdentityVerifier;
  database: Database;
  dataKeys: DataKeys;
  seals: TraceSeals;
  bus: EventBus;
  records: RecordRepository;
  locator: Locator;
  retention: Retention;
  /** Parked events contain network addresses too. */
  sweepParked: (now: Date) => Promise<void>;
}

/** Builds every client once. Tests replace parts of it with `overrides`. */
export async function createContext(
  config: TrackingConfig,
  overrides: Partial<TrackingContext> = {},
): Promise<TrackingContext> {
  const logger = overrides.logger ?? createLogger({ service: 'tracking', level: config.logLevel });
  const metrics = createMetrics('tracking');
  const tracing = await createTracing('tracking', config.tracing);
  const database = createDatabase(config.mongo, logger, { metrics, tracing });
  const { connection } = database;
  const bounds = createSweepBounds({ connection, logger, metrics });
  const retention = createRetention(config.retentionDays);
  const wrapper = createEnvironmentKeyWrapper(config.senderKeys);
  const dataKeys = createDataKeys({ connection, wrapper, retention, bounds });
  return {
    bounds,
    logger,
    metrics,
    tracing,
    identities: createIdentityVerifier(config.identityPublicKey, 'tracking'),
    database,
    dataKeys,
    seals: createTraceSeals({ dataKeys, openEnvelope: createEnvelopeOpener(wrapper), logger }),
    bus: createEventBus({ ...config.amqp, service: 'tracking', logger, metrics, tracing }),
    records: createRecordRepository(connection),
    locator: await createLocator(config.geoipDatabase),
    retention,
    sweepParked: createParkedSweep(config.amqp, retention),
    ...overrides,
  };
}
