import {
  backendConfigOf,
  backendEnvironment,
  declareLimits,
  grpcAddress,
  grpcClientEnvironment,
  httpUrl,
  rateLimitEnvironment,
  readConfig,
  wholeNumber,
  type Environment,
} from '@najwa/common/config';
import { retentionEnvironment, trackingEnvironment } from '@najwa/common/retention';
import { z } from 'zod';

const milliseconds = wholeNumber({ min: 100, max: 600_000 });
const tokens = wholeNumber({ min: 0, max: 1_000_000_000 });

const LIMITS = declareLimits({
  chat: ['CHAT_LIMIT', '20/60', 'Questions of one caller.'],
  upload: ['CHAT_UPLOAD_LIMIT', '10/60', 'Questions with a file, of one caller.'],
});

export const shape = z
  .object({
    ...backendEnvironment('chatbot'),
    ...grpcClientEnvironment,
    ...rateLimitEnvironment,
    ...retentionEnvironment,
    ...trackingEnvironment,
    AUTH_GRPC: grpcAddress,
    MEDIA_GRPC: grpcAddress,
    ...LIMITS.environment,
    OPENAI_API_KEY: z
      .string()
      .optional()
      .describe('The assistant answers through OpenAI. Without a key, and while OpenAI fails, in automatic mode.'),
    OPENAI_BASE_URL: httpUrl.default('https://api.openai.com/v1').describe('A server of the same protocol.'),
    OPENAI_MODEL: z.string().default('gpt-4.1-mini').describe('The model.'),
    OPENAI_TIMEOUT_MS: milliseconds.default(20_000).describe('Time for an answer, retries included.'),
    OPENAI_PAUSE_MS: milliseconds
      .default(30_000)
      .describe('Pause after too many failures, in which the model is not asked.'),
    OPENAI_CALLER_TOKENS: tokens.default(60_000).describe('Tokens for a day (UTC), of one caller.'),
    OPENAI_DAILY_TOKENS: tokens.default(2_000_000).describe('Tokens for a day (UTC), of all together.'),
  })
  .transform((environment) => ({
    ...backendConfigOf(environment),
    servicePrivateKey: environment.SERVICE_PRIVATE_KEY,
    upstreams: { auth: environment.AUTH_GRPC, media: environment.MEDIA_GRPC },
    limits: {
      scale: environment.RATE_LIMIT_SCALE,
      ...LIMITS.limitsOf(environment),
    },
    openai:
      environment.OPENAI_API_KEY === undefined
        ? null
        : {
            apiKey: environment.OPENAI_API_KEY,
            baseUrl: environment.OPENAI_BASE_URL,
            model: environment.OPENAI_MODEL,
            timeoutMs: environment.OPENAI_TIMEOUT_MS,
            pauseMs: environment.OPENAI_PAUSE_MS,
          },
    tracking: environment.TRACKING,
    retentionDays: environment.TRACKING_RETENTION_DAYS,
    dailyTokens: { caller: environment.OPENAI_CALLER_TOKENS, all: environment.OPENAI_DAILY_TOKENS },
  }));

export type ChatbotConfig = z.output<typeof shape>;

/** @throws {ConfigError} naming every fault */
export const loadConfig = (environment: Environment): ChatbotConfig => readConfig(shape, environment);
