import { EventBus, OutboxRelay } from '@najwa/common/amqp';
import { createServiceCaller } from '@najwa/common/grpc';
import { createIdentityVerifier, type IdentityVerifier } from '@najwa/common/identity';
import { ClientRateLimiter, createRateLimiter, createRateLimiters } from '@najwa/common/limits';
import { createLogger } from '@najwa/common/logging';
import { Metrics } from '@najwa/common/metrics';
import { Database } from '@najwa/common/mongo';
import { Sealer } from '@najwa/common/sealing';
import { SweepBounds } from '@najwa/common/service';
import { createTracing, type Tracing } from '@najwa/common/tracing';
import { createProofOfWork, DeletionLedger } from '@najwa/product';
import { CredentialRepository } from './access/credential-store.js';
import { Passwords, type AccessDeps } from './access/passwords.js';
import { accountFactOf } from './account/account-facts.js';
import { DeletionRepository } from './account/deletion-store.js';
import type { ErasureDeps } from './account/erasure.js';
import { HeldNames } from './account/held-name-store.js';
import type { LedgerDeps } from './account/ledger.js';
import { userModel, UserRepository } from './account/user-store.js';
import { MediaClient } from './clients/media.js';
import type { AuthConfig, ClientLimit } from './config.js';
import { PasskeyRepository } from './passkeys/passkey-store.js';
import type { PasskeysDeps } from './passkeys/passkeys.js';
import type { PresenceDeps } from './presence/presence.js';
import { VisitRepository } from './presence/visit-store.js';
import { SessionRepository } from './sessions/session-store.js';

export interface AuthContext extends AccessDeps, ErasureDeps, LedgerDeps, PasskeysDeps, PresenceDeps {
  /** The process clock. Removal also needs the database's clock to agree. */
  clock: () => Date;
  metrics: Metrics;
  tracing: Tracing;
  identities: IdentityVerifier;
  database: Database;
}

export async function createContext(config: AuthConfig, overrides: Partial<AuthContext> = {}): Promise<AuthContext> {
  const logger = overrides.logger ?? createLogger({ service: 'auth', level: config.logLevel });
  const metrics = new Metrics('auth');
  const tracing = await createTracing('auth', config.tracing);
  const identities = createIdentityVerifier(config.identityPublicKey, 'auth');
  const database = new Database(config.mongo, logger, { metrics, tracing });
  const { connection } = database;
  const bounds = new SweepBounds({ connection, logger, metrics });
  const caller = createServiceCaller('auth', config.servicePrivateKey, metrics);
  const bus = new EventBus({ ...config.amqp, service: 'auth', logger, metrics, tracing });
  const users = new UserRepository(connection);
  const sessions = new SessionRepository(connection);
  const ledger = new DeletionLedger({
    connection,
    mongo: config.mongo,
    url: config.ledgerUrl,
    keys: config.accountKeys,
    factOf: accountFactOf,
    logger,
  });
  const limiterOptions = { scale: config.rateLimitScale, connection, metrics };
  const byClient = (name: ClientLimit) =>
    new ClientRateLimiter((limit) => createRateLimiter({ limit, ...limiterOptions }), config.limits[name]);
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
    outbox: new OutboxRelay({
      connection,
      collections: [users.collection, sessions.collection],
      bus,
      logger,
      metrics,
      ledger,
    }),
    ledger,
    users,
    credentials: new CredentialRepository(userModel(connection)),
    sessions,
    visits: new VisitRepository(connection, config.accountKeys),
    passwords: await Passwords.create(metrics, { isFair: config.rateLimitScale > 0 }),
    sealer: new Sealer(config.accountKeys),
    media: new MediaClient(config.upstreams.media, caller),
    loginProofs: createProofOfWork({ connection, purpose: 'login' }),
    resetProofs: createProofOfWork({ connection, purpose: 'reset' }),
    registerProofs: createProofOfWork({ connection, purpose: 'register' }),
    passkeys: new PasskeyRepository(connection),
    deletions: new DeletionRepository(userModel(connection)),
    heldNames: new HeldNames(connection, config.accountKeys),
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
