import {
  baseEnvironment,
  grpcAddress,
  grpcClientEnvironment,
  identityEnvironment,
  mongoEnvironment,
  rateLimit,
  rateLimitEnvironment,
  readConfig,
  retentionEnvironment,
  type Environment,
} from '@najwa/common';
import { z } from 'zod';

const MIN_SECRET_LENGTH = 12;

const shape = z
  .object({
    ...baseEnvironment,
    ...grpcClientEnvironment,
    ...identityEnvironment,
    ...mongoEnvironment('admin'),
    ...rateLimitEnvironment,
    ...retentionEnvironment,
    AUTH_GRPC: grpcAddress,
    CHATBOT_GRPC: grpcAddress,
    TRACKING_GRPC: grpcAddress,
    ADMIN_SECRET: z.string().min(MIN_SECRET_LENGTH, `must have at least ${MIN_SECRET_LENGTH} characters`),
    ADMIN_CREATE_LIMIT: rateLimit('admin-create', '5/3600'),
  })
  .transform((environment) => ({
    host: environment.HOST,
    port: environment.PORT,
    logLevel: environment.LOG_LEVEL,
    servicePrivateKey: environment.SERVICE_PRIVATE_KEY,
    identityPublicKey: environment.IDENTITY_PUBLIC_KEY,
    mongo: { url: environment.MONGO_URL, database: environment.MONGO_DATABASE },
    upstreams: { auth: environment.AUTH_GRPC, chatbot: environment.CHATBOT_GRPC, tracking: environment.TRACKING_GRPC },
    adminSecret: environment.ADMIN_SECRET,
    retentionDays: environment.TRACKING_RETENTION_DAYS,
    limits: { scale: environment.RATE_LIMIT_SCALE, create: environment.ADMIN_CREATE_LIMIT },
  }));

export type AdminConfig = z.output<typeof shape>;

/** @throws {ConfigError} naming every fault */
export const loadConfig = (environment: Environment): AdminConfig => readConfig(shape, environment);
