import { createIdentityVerifier, createLogger, createMetrics, type IdentityVerifier, type Logger, type Metrics } from '@najwa/common';
import type { ChatbotConfig } from './config.js';

export interface ChatbotContext {
  logger: Logger;
  metrics: Metrics;
  identities: IdentityVerifier;
}

/** Builds every client once. `overrides` replace parts of it, for tests. */
export async function createContext(config: ChatbotConfig, overrides: Partial<ChatbotContext> = {}): Promise<ChatbotContext> {
  return {
    logger: createLogger({ service: 'chatbot', level: config.logLevel }),
    metrics: createMetrics('chatbot'),
    identities: await createIdentityVerifier(config.identityPublicKey),
    ...overrides,
  };
}
