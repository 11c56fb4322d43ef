import {
  baseConfigOf,
  baseEnvironment,
  grpcAddress,
  grpcClientEnvironment,
  identityEnvironment,
  mongoEnvironment,
  rateLimit,
  rateLimitEnvironment,
  readConfig,
  type Environment,
} from '@najwa/common/config';
import { retentionEnvironment } from '@najwa/common/retention';
import { z } from 'zod';

const MIN_SECRET_LENGTH = 12;

const adminSecret = z.string().min(MIN_SECRET_LENGTH, `must have at least ${MIN_SECRET_LENGTH} characters`);

export const shape = z
  .object({
    ...baseEnvironment,
    ...grpcClientEnvironment,
    ...identityEnvironment,
    ...mongoEnvironment('admin'),
    ...rateLimitEnvironment,
    ...retentionEnvironment,
    AUTH_GRPC: grpcAddress,
    CHATBOT_GRPC: grpcAddress,
    MESSAGES_GRPC: grpcAddress,
    TRACKING_GRPC: grpcAddress,
    ADMIN_SECRET: adminSecret.describe('Secret for creating administrators.'),
    ADMIN_SECRET_PREVIOUS: adminSecret.optional().describe('Accepted as well, while `ADMIN_SECRET` replaces it.'),
    ADMIN_CREATE_LIMIT: rateLimit(
      'ADMIN_CREATE_LIMIT',
      '5/3600',
      'Tries to create an account with the secret, from one network.',
    ),
  })
  .transform((environment) => ({
    ...baseConfigOf(environment),
    servicePrivateKey: environment.SERVICE_PRIVATE_KEY,
    identityPublicKey: environment.IDENTITY_PUBLIC_KEY,
    mongo: { url: environment.MONGO_URL, database: environment.MONGO_DATABASE },
    upstreams: {
      auth: environment.AUTH_GRPC,
      chatbot: environment.CHATBOT_GRPC,
      messages: environment.MESSAGES_GRPC,
      tracking: environment.TRACKING_GRPC,
    },
    adminSecrets: [environment.ADMIN_SECRET, environment.ADMIN_SECRET_PREVIOUS].filter(
      (secret) => secret !== undefined,
    ),
    retentionDays: environment.TRACKING_RETENTION_DAYS,
    limits: { scale: environment.RATE_LIMIT_SCALE, create: environment.ADMIN_CREATE_LIMIT },
  }));

export type AdminConfig = z.output<typeof shape>;

export const loadConfig = (environment: Environment): AdminConfig => readConfig(shape, environment);
