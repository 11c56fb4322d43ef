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
    MESSAGE_RETRY_LIMIT: rateLimit('message-retry', '30/60'),
    VOICE_LIMIT: rateLimit('voice', '6/60'),
    MESSAGE_RECIPIENT_LIMIT: rateLimit('message-recipient', '60/60'),
    MESSAGE_SITE_LIMIT: rateLimit('message-site', '20/60'),
    MESSAGE_PROVEN_RECIPIENT_LIMIT: rateLimit('message-proven-recipient', '600/60'),
    MESSAGE_PROVEN_SITE_LIMIT: rateLimit('message-proven-site', '200/60'),
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
    limitScale: environment.RATE_LIMIT_SCALE,
    limits: {
      sender: environment.MESSAGE_SENDER_LIMIT,
      retry: environment.MESSAGE_RETRY_LIMIT,
      voice: environment.VOICE_LIMIT,
      recipient: environment.MESSAGE_RECIPIENT_LIMIT,
      /** For the senders of one site to one recipient. */
      site: environment.MESSAGE_SITE_LIMIT,
      /** Higher limits for senders with a proof of work. */
      provenRecipient: environment.MESSAGE_PROVEN_RECIPIENT_LIMIT,
      provenSite: environment.MESSAGE_PROVEN_SITE_LIMIT,
    },
  }));

export type MessagesConfig = z.output<typeof shape>;
export type MessageLimit = keyof MessagesConfig['limits'];

/** @throws {ConfigError} naming every fault */
export const loadConfig = (environment: Environment): MessagesConfig => readConfig(shape, environment);
