import { availableParallelism } from 'node:os';
import { createSingleFlight } from '@najwa/common';
import { EventBus } from '@najwa/common/amqp';
import { createIdentityVerifier, type IdentityVerifier } from '@najwa/common/identity';
import { createFairQueue, createRateLimiters, measureQueue, type RateLimiter } from '@najwa/common/limits';
import { createLogger } from '@najwa/common/logging';
import { Metrics } from '@najwa/common/metrics';
import { Database } from '@najwa/common/mongo';
import { createRetention } from '@najwa/common/retention';
import { SweepBounds } from '@najwa/common/service';
import { createTracing, type Tracing } from '@najwa/common/tracing';
import { createEnvironmentKeyWrapper, DataKeys } from '@najwa/product';
import { ArchiveRepository } from './archives/archive-store.js';
import { createBlobStore } from './clients/blob-store.js';
import { Ffmpeg } from './clients/ffmpeg.js';
import { PrivateFiles } from './clients/private-files.js';
import type { MediaConfig } from './config.js';
import { Readers } from './files/readers.js';
import type { SweepDeps } from './files/sweep.js';
import { PictureRepository } from './pictures/picture-store.js';
import type { PicturesDeps } from './pictures/pictures.js';
import { createTranscoder } from './pictures/transcoder.js';
import { SoundRepository } from './sounds/sound-store.js';
import type { SoundsDeps } from './sounds/sounds.js';
import { createVoiceChanger } from './sounds/voice-changer.js';
import { VoiceThreads } from './voice/threads.js';

export interface MediaContext extends PicturesDeps, SoundsDeps, SweepDeps {
  bus: EventBus;
  metrics: Metrics;
  tracing: Tracing;
  identities: IdentityVerifier;
  database: Database;
  ffmpeg: Ffmpeg;
  threads: VoiceThreads;
  /** `voice` per sender; `pixels` (megapixels) and `seconds` (of recordings) per site. */
  limits: Record<'voice' | 'pixels' | 'seconds', RateLimiter>;
}

const RETRY_AFTER_SECONDS = 10;

/** Arriving or waiting. Needs disk for all of them at 10 MB each. */
const RECORDING_LIMITS = {
  capacity: 100,
  runningPerSender: 6,
  // Leaves room for three other sites.
  runningPerSite: 25,
  waitingPerSender: 0,
  maxWaiting: 0,
  retryAfter: RETRY_AFTER_SECONDS,
};

const ALTERATION_LIMITS = {
  capacity: availableParallelism(),
  runningPerSender: 1,
  runningPerSite: Math.max(1, Math.floor(availableParallelism() / 2)),
  waitingPerSender: 5,
  waitingPerSite: 8,
  maxWaiting: 32,
  retryAfter: RETRY_AFTER_SECONDS,
  // With the processing time, below the gateway's timeout of one minute.
  maxWaitMs: 40_000,
};

export async function createContext(config: MediaConfig, overrides: Partial<MediaContext> = {}): Promise<MediaContext> {
  const logger = overrides.logger ?? createLogger({ service: 'media', level: config.logLevel });
  const metrics = new Metrics('media');
  const tracing = await createTracing('media', config.tracing);
  const database = new Database(config.mongo, logger, { metrics, tracing });
  const { connection } = database;
  const bounds = new SweepBounds({ connection, logger, metrics });
  const wrapper = createEnvironmentKeyWrapper(config.senderKeys);
  // Nothing here uses daily keys.
  const dataKeys = new DataKeys({ connection, wrapper, retention: createRetention(1), bounds });
  const hash = async (key: string): Promise<string> => (await dataKeys.permanentKey()).tag('limit', key);
  const { scale, ...declared } = config.limits;
  const limits = createRateLimiters(declared, { scale, connection, metrics, hash });
  const files = new PrivateFiles(config.recordingsFolder);
  const threads = new VoiceThreads();
  const ffmpeg = new Ffmpeg(config.ffmpeg);
  return {
    bounds,
    logger,
    metrics,
    tracing,
    identities: createIdentityVerifier(config.identityPublicKey, 'media'),
    database,
    dataKeys,
    readers: new Readers(dataKeys),
    bus: new EventBus({ ...config.amqp, service: 'media', logger, metrics, tracing }),
    blobs: createBlobStore(config.s3, metrics),
    pictures: new PictureRepository(connection),
    transcoder: createTranscoder(metrics, (site, megapixels) => limits.pixels.consume(site, megapixels)),
    storing: createSingleFlight(),
    sounds: new SoundRepository(connection),
    archives: new ArchiveRepository(connection),
    recordings: {
      files,
      admit: measureQueue(createFairQueue(RECORDING_LIMITS), 'recordings', metrics),
    },
    ffmpeg,
    threads,
    voiceChanger: createVoiceChanger({
      ffmpeg,
      files,
      threads,
      enqueue: measureQueue(createFairQueue(ALTERATION_LIMITS), 'voices', metrics),
      spend: (site, seconds) => limits.seconds.consume(site, Math.ceil(seconds)),
    }),
    morphing: createSingleFlight(),
    limits,
    ...overrides,
  };
}
