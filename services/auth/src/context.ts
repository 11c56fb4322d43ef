import { createEventBus, createOutboxRelay, type EventBus, type OutboxRelay } from '@najwa/common/amqp';
import { createServiceCaller } from '@najwa/common/grpc';
import { createIdentityVerifier, type IdentityVerifier } from '@najwa/common/identity';
import {
  createClientRateLimiter,
  createRateLimiter,
  createRateLimiters,
  type ClientRateLimiter,
  type RateLimiter,
} from '@najwa/common/limits';
import { createLogger, type Logger } from '@najwa/common/logging';
import { createMetrics, type Metrics } from '@najwa/common/metrics';
import { createDatabase, type Database } from '@najwa/common/mongo';
import { createSealer, type Sealer } from '@najwa/common/sealing';
import { createSweepBounds, type SweepBounds } from '@najwa/common/service';
import { createTracing, type Tracing } from '@najwa/common/tracing';
import { createDeletionLedger, createProofOfWork, type DeletionLedger, type ProofOfWork } from '@najwa/product';
import { createMediaClient, type MediaClient } from './clients/media.js';
import type { AuthConfig } from './config.js';
import { createCredentialRepository, type CredentialRepository } from './db/credentials.js';
import { createDeletionRepository, type DeletionRepository } from './db/deletions.js';
import { createHeldNames, type HeldNames } from './db/held-names.js';
import { createPasskeyRepository, type PasskeyRepository } from './db/passkeys.js';
import { createPromptRepository, type PromptRepository } from './db/prompts.js';
import { createSessionRepository, type SessionRepository } from './db/sessions.js';
import { createUserRepository, type UserRepository } from './db/users.js';
import { createVisitRepository, type VisitRepository } from './db/visits.js';
import { accountFactOf, type AccountFact } from './domain/account-facts.js';
import { createPasswords, type Passwords } from './domain/passwords.js';

export interface AuthContext {
  /** The process clock. Removal also needs the database's clock to agree. */
  clock: () => Date;
  bounds: SweepBounds;
  /** The time of the backup that was restored within the last month. Known once the ledger is applied. */
  restoredTo: Date | null;
  logger: Logger;
  metrics: Metrics;
  tracing: Tracing;
  identities: IdentityVerifier;
  database: Database;
  bus: EventBus;
  outbox: OutboxRelay;
  ledger: DeletionLedger<AccountFact>;
  users: UserRepository;
  credentials: CredentialRepository;
  sessions: SessionRepository;
  visits: VisitRepository;
  passwords: Passwords;
  /** For keys of recovery codes and second steps. */
  sealer: Sealer;
  media: MediaClient;
  loginProofs: ProofOfWork;
  resetProofs: ProofOfWork;
  registerProofs: ProofOfWork;
  passkeys: PasskeyRepository;
  deletions: DeletionRepository;
  prompts: PromptRepository;
  heldNames: HeldNames;
  staffTotpRequired: boolean;
  publicHosts: readonly string[];
  limits: Record<Exclude<AuthLimit, ClientLimit>, RateLimiter> & Record<ClientLimit, ClientRateLimiter>;
}

type AuthLimit = keyof AuthConfig['limits'];
type ClientLimit = 'loginByAddress' | 'resetByNetwork' | 'register';

export async function createContext(config: AuthConfig, overrides: Partial<AuthContext> = {}): Promise<AuthContext> {
  const logger = overrides.logger ?? createLogger({ service: 'auth', level: config.logLevel });
  const metrics = createMetrics('auth');
  const tracing = await createTracing('auth', config.tracing);
  const identities = createIdentityVerifier(config.identityPublicKey, 'auth');
  const database = createDatabase(config.mongo, logger, { metrics, tracing });
  const { connection } = database;
  const bounds = createSweepBounds({ connection, logger, metrics });
  const caller = createServiceCaller('auth', config.servicePrivateKey, metrics);
  const bus = createEventBus({ ...config.amqp, service: 'auth', logger, metrics, tracing });
  const users = createUserRepository(connection);
  const sessions = createSessionRepository(connection);
  const ledger = createDeletionLedger({
    connection,
    mongo: config.mongo,
    url: config.ledgerUrl,
    keys: config.accountKeys,
    factOf: accountFactOf,
    logger,
  });
  const limiterOptions = { scale: config.rateLimitScale, connection, metrics };
  const byClient = (name: ClientLimit): ClientRateLimiter =>
    createClientRateLimiter((limit) => createRateLimiter({ limit, ...limiterOptions }), config.limits[name]);
  return {
    clock: () => new Date(),
    bounds,
    restoredTo: null,
    logger,
    metrics,
    tracing,
    identities,
    database,
    bus,
    outbox: createOutboxRelay({
      connection,
      collections: [users.collection, sessions.collection],
      bus,
      logger,
      metrics,
      ledger,
    }),
    ledger,
    users,
    credentials: createCredentialRepository(connection),
    sessions,
    visits: createVisitRepository(connection, config.accountKeys),
    passwords: await createPasswords(metrics, { isFair: config.rateLimitScale > 0 }),
    sealer: createSealer(config.accountKeys),
    media: createMediaClient(config.upstreams.media, caller),
    loginProofs: createProofOfWork({ connection, purpose: 'login' }),
    resetProofs: createProofOfWork({ connection, purpose: 'reset' }),
    registerProofs: createProofOfWork({ connection, purpose: 'register' }),
    passkeys: createPasskeyRepository(connection),
    deletions: createDeletionRepository(connection),
    prompts: createPromptRepository(connection),
    heldNames: createHeldNames(connection, config.accountKeys),
    staffTotpRequired: config.staffTotpRequired,
    publicHosts: config.publicHosts,
    limits: {
      ...createRateLimiters(config.limits, limiterOptions),
      loginByAddress: byClient('loginByAddress'),
      resetByNetwork: byClient('resetByNetwork'),
      register: byClient('register'),
    },
    ...overrides,
  };
}
