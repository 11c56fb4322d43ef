import {
  connectMongo,
  createIdentityVerifier,
  createLogger,
  createMetrics,
  createRateLimiter,
  type IdentityVerifier,
  type Logger,
  type Metrics,
  type RateLimiter,
} from '@najwa/common';
import type { Connection } from 'mongoose';
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
  connection: Connection;
  audit: AuditRepository;
  auth: AuthClient;
  chatbot: ChatbotClient;
  tracking: TrackingClient;
  adminSecret: SharedSecret;
  limits: { create: RateLimiter };
}

/** Builds every client once. `overrides` replace parts of it, for tests. */
export async function createContext(config: AdminConfig, overrides: Partial<AdminContext> = {}): Promise<AdminContext> {
  const logger = overrides.logger ?? createLogger({ service: 'admin', level: config.logLevel });
  const connection = await connectMongo(config.mongo, logger);
  return {
    logger,
    metrics: createMetrics('admin'),
    identities: await createIdentityVerifier(config.identityPublicKey),
    connection,
    audit: createAuditRepository(connection),
    auth: createAuthClient(config.upstreams.auth),
    chatbot: createChatbotClient(config.upstreams.chatbot),
    tracking: createTrackingClient(config.upstreams.tracking),
    adminSecret: createSharedSecret(config.adminSecret),
    limits: { create: createRateLimiter({ limit: config.limits.create, scale: config.limits.scale, connection }) },
    ...overrides,
  };
}
