import { createServiceCaller } from '@najwa/common/grpc';
import { createIdentityVerifier, type IdentityVerifier } from '@najwa/common/identity';
import { ClientRateLimiter, createRateLimiter } from '@najwa/common/limits';
import { createLogger, type Logger } from '@najwa/common/logging';
import { Metrics } from '@najwa/common/metrics';
import { Database } from '@najwa/common/mongo';
import { createRetention, type Retention } from '@najwa/common/retention';
import { createTracing, type Tracing } from '@najwa/common/tracing';
import { AuthClient } from './clients/auth.js';
import { ChatbotClient } from './clients/chatbot.js';
import { MessagesClient } from './clients/messages.js';
import { createTrackingClient, type TrackingClient } from './clients/tracking.js';
import type { AdminConfig } from './config.js';
import { AuditRepository } from './db/audit.js';
import { createSharedSecret, type SharedSecret } from './domain/shared-secret.js';

export interface AdminContext {
  logger: Logger;
  metrics: Metrics;
  tracing: Tracing;
  identities: IdentityVerifier;
  database: Database;
  audit: AuditRepository;
  /** Of addresses in the audit log. */
  retention: Retention;
  auth: AuthClient;
  chatbot: ChatbotClient;
  messages: MessagesClient;
  tracking: TrackingClient;
  adminSecret: SharedSecret;
  limits: { create: ClientRateLimiter };
}

export async function createContext(config: AdminConfig, overrides: Partial<AdminContext> = {}): Promise<AdminContext> {
  const logger = overrides.logger ?? createLogger({ service: 'admin', level: config.logLevel });
  const metrics = new Metrics('admin');
  const tracing = await createTracing('admin', config.tracing);
  const database = new Database(config.mongo, logger, { metrics, tracing });
  const { connection } = database;
  const caller = createServiceCaller('admin', config.servicePrivateKey, metrics);
  return {
    logger,
    metrics,
    tracing,
    identities: createIdentityVerifier(config.identityPublicKey, 'admin'),
    database,
    audit: new AuditRepository(connection),
    retention: createRetention(config.retentionDays),
    auth: new AuthClient(config.upstreams.auth, caller),
    chatbot: new ChatbotClient(config.upstreams.chatbot, caller),
    messages: new MessagesClient(config.upstreams.messages, caller),
    tracking: createTrackingClient(config.upstreams.tracking, caller),
    adminSecret: createSharedSecret(config.adminSecrets),
    limits: {
      create: new ClientRateLimiter(
        (limit) => createRateLimiter({ limit, scale: config.limits.scale, connection, metrics }),
        config.limits.create,
      ),
    },
    ...overrides,
  };
}
