import { availableParallelism } from 'node:os';
import {
  createDatabase,
  createBoundedQueue,
  createEventBus,
  createIdentityVerifier,
  createLogger,
  createMetrics,
  createRateLimiter,
  type Database,
  type EventBus,
  type IdentityVerifier,
  type Logger,
  type Metrics,
  type RateLimiter,
} from '@najwa/common';
import { createBlobStore, type BlobStore } from './clients/blob-store.js';
import { createFfmpeg, type Ffmpeg } from './clients/ffmpeg.js';
import { createPrivateFiles } from './clients/private-files.js';
import type { MediaConfig } from './config.js';
import { createPictureRepository, type PictureRecord, type PictureRepository } from './db/pictures.js';
import { createSoundRepository, type SoundRecord, type SoundRepository } from './db/sounds.js';
import type { RecordingRoom } from './domain/recordings.js';
import { createSingleFlight, type SingleFlight } from './domain/single-flight.js';
import { createTranscoder, type Transcoder } from './domain/transcoder.js';
import { createVoiceChanger, type VoiceChanger } from './domain/voice-changer.js';
import { createVoiceThreads, type VoiceThreads } from './voice/threads.js';

export interface MediaContext {
  logger: Logger;
  metrics: Metrics;
  identities: IdentityVerifier;
  database: Database;
  bus: EventBus;
  blobs: BlobStore;
  pictures: PictureRepository;
  transcoder: Transcoder;
  /** The pictures being stored, by storage key. */
  storing: SingleFlight<PictureRecord>;
  sounds: SoundRepository;
  recordings: RecordingRoom;
  ffmpeg: Ffmpeg;
  threads: VoiceThreads;
  voiceChanger: VoiceChanger;
  /** The voices being kept, by storage key. */
  morphing: SingleFlight<SoundRecord>;
  limits: { voice: RateLimiter };
}

/** Recordings that are here at once, on their way in or waiting: at 10 MB each, what the disk must have room for. */
const MOST_RECORDINGS = 100;

const MOST_WAITING = 32;

/** Less than the minute for which the gateway waits, with the time that altering takes. */
const PATIENCE_MS = 40_000;

const RETRY_AFTER_SECONDS = 10;

/** Builds every client once. `overrides` replace parts of it, for tests. */
export async function createContext(config: MediaConfig, overrides: Partial<MediaContext> = {}): Promise<MediaContext> {
  const logger = overrides.logger ?? createLogger({ service: 'media', level: config.logLevel });
  const metrics = createMetrics('media');
  const database = createDatabase(config.mongo, logger);
  const { connection } = database;
  const files = createPrivateFiles(config.recordingsFolder);
  const threads = createVoiceThreads();
  const ffmpeg = createFfmpeg(config.ffmpeg);
  return {
    logger,
    metrics,
    identities: await createIdentityVerifier(config.identityPublicKey),
    database,
    bus: createEventBus({ ...config.amqp, service: 'media', logger, metrics }),
    blobs: createBlobStore(config.s3),
    pictures: createPictureRepository(connection),
    transcoder: createTranscoder(),
    storing: createSingleFlight(),
    sounds: createSoundRepository(connection),
    recordings: {
      files,
      admit: createBoundedQueue({ concurrency: MOST_RECORDINGS, maxWaiting: 0, retryAfter: RETRY_AFTER_SECONDS }),
    },
    ffmpeg,
    threads,
    voiceChanger: createVoiceChanger({
      ffmpeg,
      files,
      threads,
      enqueue: createBoundedQueue({
        concurrency: availableParallelism(),
        maxWaiting: MOST_WAITING,
        retryAfter: RETRY_AFTER_SECONDS,
        maxWaitMs: PATIENCE_MS,
      }),
    }),
    morphing: createSingleFlight(),
    limits: { voice: createRateLimiter({ limit: config.limits.voice, scale: config.limits.scale, connection }) },
    ...overrides,
  };
}
