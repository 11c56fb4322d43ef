import { createIdentityVerifier, createLogger, createMetrics, type IdentityVerifier, type Logger, type Metrics } from '@najwa/common';
import type { AdminConfig } from './config.js';

export interface AdminContext {
  logger: Logger;
  metrics: Metrics;
  identities: IdentityVerifier;
}

/** Builds every client once. `overrides` replace parts of it, for tests. */
export async function createContext(config: AdminConfig, overrides: Partial<AdminContext> = {}): Promise<AdminContext> {
  return {
    logger: createLogger({ service: 'admin', level: config.logLevel }),
    metrics: createMetrics('admin'),
    identities: await createIdentityVerifier(config.identityPublicKey),
    ...overrides,
  };
}
