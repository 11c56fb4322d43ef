import { createParkedSweep, EventBus } from '@najwa/common/amqp';
import { createIdentityVerifier, type IdentityVerifier } from '@najwa/common/identity';
import { createLogger, type Logger } from '@najwa/common/logging';
import { Metrics } from '@najwa/common/metrics';
import { Database } from '@najwa/common/mongo';
import { createRetention, type Retention, type TrackingMode } from '@najwa/common/retention';
import { SweepBounds } from '@najwa/common/service';
import { createTracing, type Tracing } from '@najwa/common/tracing';
import { createEnvelopeOpener, createEnvironmentKeyWrapper, DataKeys } from '@najwa/product';
import { createLocator, type Locator } from './clients/locator.js';
import type { TrackingConfig } from './config.js';
import { RecordRepository } from './db/records.js';
import { TraceSeals } from './domain/trace-seals.js';

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
  tracking: TrackingMode;
  retention: Retention;
  /** Parked events contain network addresses too. */
  sweepParked: (now: Date) => Promise<void>;
}

export async function createContext(
  config: TrackingConfig,
  overrides: Partial<TrackingContext> = {},
): Promise<TrackingContext> {
  const logger = overrides.logger ?? createLogger({ service: 'tracking', level: config.logLevel });
  const metrics = new Metrics('tracking');
  const tracing = await createTracing('tracking', config.tracing);
  const database = new Database(config.mongo, logger, { metrics, tracing });
  const { connection } = database;
  const bounds = new SweepBounds({ connection, logger, metrics });
  const retention = createRetention(config.retentionDays);
  const wrapper = createEnvironmentKeyWrapper(config.senderKeys);
  const dataKeys = new DataKeys({ connection, wrapper, retention, bounds });
  return {
    bounds,
    logger,
    metrics,
    tracing,
    identities: createIdentityVerifier(config.identityPublicKey, 'tracking'),
    database,
    dataKeys,
    seals: new TraceSeals({ dataKeys, openEnvelope: createEnvelopeOpener(wrapper), logger }),
    bus: new EventBus({ ...config.amqp, service: 'tracking', logger, metrics, tracing }),
    records: new RecordRepository(connection),
    locator: await createLocator(config.geoipDatabase),
    tracking: config.tracking,
    retention,
    sweepParked: createParkedSweep(config.amqp, retention),
    ...overrides,
  };
}
