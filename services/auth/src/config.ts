import {
  amqpEnvironment,
  baseEnvironment,
  grpcServerEnvironment,
  identityEnvironment,
  mongoEnvironment,
  rateLimit,
  rateLimitEnvironment,
  readConfig,
  type Environment,
} from '@najwa/common';
import { z } from 'zod';

const shape = z
  .object({
    ...baseEnvironment,
    ...grpcServerEnvironment,
    ...identityEnvironment,
    ...amqpEnvironment,
    ...mongoEnvironment('auth'),
    ...rateLimitEnvironment,
    LOGIN_LIMIT: rateLimit('login', '10/900'),
    REGISTER_LIMIT: rateLimit('register', '10/3600'),
  })
  .transform((environment) => ({
    host: environment.HOST,
    port: environment.PORT,
    grpcPort: environment.GRPC_PORT,
    logLevel: environment.LOG_LEVEL,
    identityPublicKey: environment.IDENTITY_PUBLIC_KEY,
    amqp: { url: environment.AMQP_URL, prefix: environment.AMQP_PREFIX },
    mongo: { url: environment.MONGO_URL, database: environment.MONGO_DATABASE },
    limits: { scale: environment.RATE_LIMIT_SCALE, login: environment.LOGIN_LIMIT, register: environment.REGISTER_LIMIT },
  }));

export type AuthConfig = z.output<typeof shape>;

/** @throws {ConfigError} naming every fault */
export const loadConfig = (environment: Environment): AuthConfig => readConfig(shape, environment);
