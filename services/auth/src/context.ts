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
  type RateLimit,
  type RateLimiter,
} from '@najwa/common';
import { createMediaClient, type MediaClient } from './clients/media.js';
import type { AuthConfig } from './config.js';
import { createSessionRepository, type SessionRepository } from './db/sessions.js';
import { createUserRepository, type UserRepository } from './db/users.js';
import { createVisitRepository, type VisitRepository } from './db/visits.js';
import { createPasswords, type Passwords } from './domain/passwords.js';

export interface AuthContext {
  logger: Logger;
  metrics: Metrics;
  identities: IdentityVerifier;
  database: Database;
  bus: EventBus;
  outbox: OutboxRelay;
  users: UserRepository;
  sessions: SessionRepository;
  visits: VisitRepository;
  passwords: Passwords;
  media: MediaClient;
  loginProofs: ProofOfWork;
  /** Accounts whose new avatar is being stored. */
  avatarChanges: Set<number>;
  limits: Record<keyof AuthConfig['limits'], RateLimiter>;
}

/** Builds every client once. `overrides` replace parts of it, for tests. */
export async function createContext(config: AuthConfig, overrides: Partial<AuthContext> = {}): Promise<AuthContext> {
  const logger = overrides.logger ?? createLogger({ service: 'auth', level: config.logLevel });
  const metrics = createMetrics('auth');
  const identities = await createIdentityVerifier(config.identityPublicKey);
  const database = createDatabase(config.mongo, logger);
  const { connection } = database;
  const caller = createServiceCaller('auth', config.servicePrivateKey);
  const bus = createEventBus({ ...config.amqp, service: 'auth', logger, metrics });
  const users = createUserRepository(connection);
  const sessions = createSessionRepository(connection);
  const limiter = (limit: RateLimit): RateLimiter =>
    createRateLimiter({ limit, scale: config.rateLimitScale, connection });
  return {
    logger,
    metrics,
    identities,
    database,
    bus,
    outbox: createOutboxRelay({
      connection,
      collections: [users.collection, sessions.collection],
      bus,
      logger,
      metrics,
    }),
    users,
    sessions,
    visits: createVisitRepository(connection),
    passwords: await createPasswords(),
    media: createMediaClient(config.upstreams.media, caller),
    loginProofs: createProofOfWork({ connection, purpose: 'login' }),
    avatarChanges: new Set(),
    limits: {
      login: limiter(config.limits.login),
      loginByAddress: limiter(config.limits.loginByAddress),
      loginByNetwork: limiter(config.limits.loginByNetwork),
      loginByAccount: limiter(config.limits.loginByAccount),
      loginFromKnownDevice: limiter(config.limits.loginFromKnownDevice),
      passwordChange: limiter(config.limits.passwordChange),
      profileUpdate: limiter(config.limits.profileUpdate),
      avatarChange: limiter(config.limits.avatarChange),
      register: limiter(config.limits.register),
    },
    ...overrides,
  };
}
