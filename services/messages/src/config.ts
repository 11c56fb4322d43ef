import {
  amqpEnvironment,
  baseEnvironment,
  grpcAddress,
  grpcClientEnvironment,
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
    ...grpcClientEnvironment,
    ...identityEnvironment,
    ...amqpEnvironment,
    ...mongoEnvironment('messages'),
    ...rateLimitEnvironment,
    AUTH_GRPC: grpcAddress,
    MEDIA_GRPC: grpcAddress,
    MESSAGE_SENDER_LIMIT: rateLimit('message-sender', '10/60'),
    MESSAGE_RECIPIENT_LIMIT: rateLimit('message-recipient', '60/60'),
    VOICE_LIMIT: rateLimit('voice', '6/60'),
  })
  .transform((environment) => ({
    host: environment.HOST,
    port: environment.PORT,
    logLevel: environment.LOG_LEVEL,
    servicePrivateKey: environment.SERVICE_PRIVATE_KEY,
    identityPublicKey: environment.IDENTITY_PUBLIC_KEY,
    amqp: { url: environment.AMQP_URL, prefix: environment.AMQP_PREFIX },
    mongo: { url: environment.MONGO_URL, database: environment.MONGO_DATABASE },
    upstreams: { auth: environment.AUTH_GRPC, media: environment.MEDIA_GRPC },
    limits: {
      scale: environment.RATE_LIMIT_SCALE,
      sender: environment.MESSAGE_SENDER_LIMIT,
      recipient: environment.MESSAGE_RECIPIENT_LIMIT,
      voice: environment.VOICE_LIMIT,
    },
  }));

export type MessagesConfig = z.output<typeof shape>;

/** @throws {ConfigError} naming every fault */
export const loadConfig = (environment: Environment): MessagesConfig => readConfig(shape, environment);
