import {
  createDatabase,
  createServiceCaller,
  createIdentityVerifier,
  createLogger,
  createMetrics,
  createRateLimiter,
  createRetention,
  type Database,
  type IdentityVerifier,
  type Logger,
  type Metrics,
  type RateLimiter,
  type Retention,
} from '@najwa/common';
import { createAuthClient, type AuthClient } from './clients/auth.js';
import { createChatbotClient, type ChatbotClient } from './clients/chatbot.js';
import { createTrackingClient, type TrackingClient } from './clients/tracking.js';
import type { AdminConfig } from './config.js';
import { createAuditRepository, type AuditRepository } from './db/audit.js';
import { createSharedSecret, type SharedSecret } from './domain/shared-secret.js';

export interface AdminContext {
  logger: Logger;
  metrics: Metrics;
  identities: IdentityVerifier;
  database: Database;
  audit: AuditRepository;
  /** Retention of the addresses in the audit log. */
  retention: Retention;
  auth: AuthClient;
  chatbot: ChatbotClient;
  tracking: TrackingClient;
  adminSecret: SharedSecret;
  limits: { create: RateLimiter };
}

/** Builds every client once. Tests replace parts by `overrides`. */
export async function createContext(config: AdminConfig, overrides: Partial<AdminContext> = {}): Promise<AdminContext> {
  const logger = overrides.logger ?? createLogger({ service: 'admin', level: config.logLevel });
  const database = createDatabase(config.mongo, logger);
  const { connection } = database;
  const caller = createServiceCaller('admin', config.servicePrivateKey);
  return {
    logger,
    metrics: createMetrics('admin'),
    identities: await createIdentityVerifier(config.identityPublicKey),
    database,
    audit: createAuditRepository(connection),
    retention: createRetention(config.retentionDays),
    auth: createAuthClient(config.upstreams.auth, caller),
    chatbot: createChatbotClient(config.upstreams.chatbot, caller),
    tracking: createTrackingClient(config.upstreams.tracking, caller),
    adminSecret: createSharedSecret(config.adminSecret),
    limits: { create: createRateLimiter({ limit: config.limits.create, scale: config.limits.scale, connection }) },
    ...overrides,
  };
}
