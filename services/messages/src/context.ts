import {
  createDatabase,
  createServiceCaller,
  createEventBus,
  createIdentityVerifier,
  createLogger,
  createMetrics,
  createOutboxRelay,
  createProofOfWork,
  createRateLimiter,
  type Database,
  type EventBus,
  type IdentityVerifier,
  type Logger,
  type Metrics,
  type OutboxRelay,
  type ProofOfWork,
  type RateLimiter,
} from '@najwa/common';
import { createAuthClient, type AuthClient } from './clients/auth.js';
import { createMediaClient, type MediaClient } from './clients/media.js';
import type { MessageLimit, MessagesConfig } from './config.js';
import { createCountRepository, type CountRepository } from './db/counts.js';
import { createMessageRepository, type MessageRepository } from './db/messages.js';
import {
  createReplyKeyRepository,
  createTombstoneRepository,
  type ReplyKeyRepository,
  type TombstoneRepository,
} from './db/submissions.js';

export interface MessagesContext {
  logger: Logger;
  metrics: Metrics;
  identities: IdentityVerifier;
  database: Database;
  bus: EventBus;
  outbox: OutboxRelay;
  messages: MessageRepository;
  counts: CountRepository;
  tombstones: TombstoneRepository;
  replyKeys: ReplyKeyRepository;
  auth: AuthClient;
  media: MediaClient;
  limits: Record<MessageLimit, RateLimiter>;
  /** Required beyond the limits of a recipient. */
  proofs: ProofOfWork;
}

/** Builds every client once. Tests replace parts of it with `overrides`. */
export async function createContext(
  config: MessagesConfig,
  overrides: Partial<MessagesContext> = {},
): Promise<MessagesContext> {
  const logger = overrides.logger ?? createLogger({ service: 'messages', level: config.logLevel });
  const metrics = createMetrics('messages');
  const identities = await createIdentityVerifier(config.identityPublicKey);
  const database = createDatabase(config.mongo, logger);
  const { connection } = database;
  const caller = createServiceCaller('messages', config.servicePrivateKey);
  const bus = createEventBus({ ...config.amqp, service: 'messages', logger, metrics });
  const messages = createMessageRepository(connection);
  const counts = createCountRepository(connection, messages.collection);
  const tombstones = createTombstoneRepository(connection, messages.collection);
  const limiterOf = (name: MessageLimit): RateLimiter =>
    createRateLimiter({ limit: config.limits[name], scale: config.limitScale, connection });
  return {
    logger,
    metrics,
    identities,
    database,
    bus,
    outbox: createOutboxRelay({
      connection,
      collections: [messages.collection],
      bus,
      logger,
      metrics,
      beforeRemoval: (entries) => counts.apply(entries),
      finalizeDeleted: (_collection, documents) => tombstones.keep(documents),
    }),
    messages,
    counts,
    tombstones,
    replyKeys: createReplyKeyRepository(connection),
    auth: createAuthClient(config.upstreams.auth, caller),
    media: createMediaClient(config.upstreams.media, caller),
    limits: {
      sender: limiterOf('sender'),
      retry: limiterOf('retry'),
      voice: limiterOf('voice'),
      recipient: limiterOf('recipient'),
      site: limiterOf('site'),
      provenRecipient: limiterOf('provenRecipient'),
      provenSite: limiterOf('provenSite'),
    },
    proofs: createProofOfWork({ connection, purpose: 'message' }),
    ...overrides,
  };
}
