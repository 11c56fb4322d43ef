import { connectMongo, createEventBus, createIdentityVerifier, createLogger, createMetrics, type EventBus, type IdentityVerifier, type Logger, type Metrics } from '@najwa/common';
import type { Connection } from 'mongoose';
import { createBlobStore, type BlobStore } from './clients/blob-store.js';
import type { MediaConfig } from './config.js';
import { createPictureRepository, type PictureRecord, type PictureRepository } from './db/pictures.js';
import { createSingleFlight, type SingleFlight } from './domain/single-flight.js';
import { createTranscoder, type Transcoder } from './domain/transcoder.js';

export interface MediaContext {
  logger: Logger;
  metrics: Metrics;
  identities: IdentityVerifier;
  connection: Connection;
  bus: EventBus;
  blobs: BlobStore;
  pictures: PictureRepository;
  transcoder: Transcoder;
  /** The pictures being stored, by storage key. */
  storing: SingleFlight<PictureRecord>;
}

/** Builds every client once. `overrides` replace parts of it, for tests. */
export async function createContext(config: MediaConfig, overrides: Partial<MediaContext> = {}): Promise<MediaContext> {
  const logger = overrides.logger ?? createLogger({ service: 'media', level: config.logLevel });
  const metrics = createMetrics('media');
  const connection = await connectMongo(config.mongo, logger);
  return {
    logger,
    metrics,
    identities: await createIdentityVerifier(config.identityPublicKey),
    connection,
    bus: createEventBus({ ...config.amqp, service: 'media', logger, metrics }),
    blobs: createBlobStore(config.s3),
    pictures: createPictureRepository(connection),
    transcoder: createTranscoder(),
    storing: createSingleFlight(),
    ...overrides,
  };
}
