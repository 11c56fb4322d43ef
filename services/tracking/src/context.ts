import {
  createDatabase,
  createEventBus,
  createIdentityVerifier,
  createLogger,
  createMetrics,
  createRetention,
  type Database,
  type EventBus,
  type IdentityVerifier,
  type Logger,
  type Metrics,
  type Retention,
} from '@najwa/common';
import { createLocator, type Locator } from './clients/locator.js';
import type { TrackingConfig } from './config.js';
import { createRecordRepository, type RecordRepository } from './db/records.js';

export interface TrackingContext {
  logger: Logger;
  metrics: Metrics;
  identities: IdentityVerifier;
  database: Database;
  bus: EventBus;
  records: RecordRepository;
  locator: Locator;
  retention: Retention;
}

/** Builds every client once. Tests replace parts of it with `overrides`. */
export async function createContext(
  config: TrackingConfig,
  overrides: Partial<TrackingContext> = {},
): Promise<TrackingContext> {
  const logger = overrides.logger ?? createLogger({ service: 'tracking', level: config.logLevel });
  const metrics = createMetrics('tracking');
  const database = createDatabase(config.mongo, logger);
  const { connection } = database;
  return {
    logger,
    metrics,
    identities: await createIdentityVerifier(config.identityPublicKey),
    database,
    bus: createEventBus({ ...config.amqp, service: 'tracking', logger, metrics }),
    records: createRecordRepository(connection),
    locator: await createLocator(config.geoipDatabase),
    retention: createRetention(config.retentionDays),
    ...overrides,
  };
}
