import { EventBus } from '@najwa/common/amqp';
import { createServiceCaller } from '@najwa/common/grpc';
import { createIdentityVerifier, type IdentityVerifier } from '@najwa/common/identity';
import { ClientRateLimiter, createRateLimiter, type RateLimit } from '@najwa/common/limits';
import { createLogger } from '@najwa/common/logging';
import { Metrics } from '@najwa/common/metrics';
import { Database } from '@najwa/common/mongo';
import { createRetention } from '@najwa/common/retention';
import { createTracing, type Tracing } from '@najwa/common/tracing';
import { AutomaticMode } from './answers/automatic-mode.js';
import { SpendingRepository } from './answers/spending-store.js';
import { AuthClient } from './clients/auth.js';
import { LanguageModel } from './clients/language-model.js';
import { MediaClient } from './clients/media.js';
import type { ChatbotConfig } from './config.js';
import { ConversationRepository } from './conversations/conversation-store.js';
import type { ConversationsDeps } from './conversations/conversations.js';
import type { ChatLimits } from './conversations/routes.js';
import { knowledgeFor } from './knowledge/index.js';
import { UploadRepository } from './pictures/upload-store.js';

export interface ChatbotContext extends ConversationsDeps {
  metrics: Metrics;
  tracing: Tracing;
  identities: IdentityVerifier;
  database: Database;
  bus: EventBus;
  limits: ChatLimits;
}

/** Tests replace parts with `overrides`. */
export async function createContext(
  config: ChatbotConfig,
  overrides: Partial<ChatbotContext> = {},
): Promise<ChatbotContext> {
  const logger = overrides.logger ?? createLogger({ service: 'chatbot', level: config.logLevel });
  const metrics = new Metrics('chatbot');
  const tracing = await createTracing('chatbot', config.tracing);
  const database = new Database(config.mongo, logger, { metrics, tracing });
  const { connection } = database;
  const caller = createServiceCaller('chatbot', config.servicePrivateKey, metrics);
  const limiter = (limit: RateLimit) => createRateLimiter({ limit, scale: config.limits.scale, connection, metrics });
  return {
    logger,
    metrics,
    tracing,
    identities: createIdentityVerifier(config.identityPublicKey, 'chatbot'),
    database,
    bus: new EventBus({ ...config.amqp, service: 'chatbot', logger, metrics, tracing }),
    conversations: new ConversationRepository(connection),
    uploads: new UploadRepository(connection),
    spending: new SpendingRepository(connection),
    auth: new AuthClient(config.upstreams.auth, caller),
    media: new MediaClient(config.upstreams.media, caller),
    automaticMode: new AutomaticMode(knowledgeFor(config.tracking)),
    tracking: config.tracking,
    languageModel: config.openai && new LanguageModel(config.openai, logger, metrics),
    dailyTokens: config.dailyTokens,
    retention: createRetention(config.retentionDays),
    limits: {
      chat: new ClientRateLimiter(limiter, config.limits.chat),
      upload: new ClientRateLimiter(limiter, config.limits.upload),
    },
    ...overrides,
  };
}
