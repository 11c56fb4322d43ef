import { isIP } from 'node:net';
import {
  amqpEnvironment,
  baseEnvironment,
  grpcAddress,
  grpcClientEnvironment,
  httpUrl,
  pem,
  rateLimitEnvironment,
  readConfig,
  wholeNumber,
  type Environment,
} from '@najwa/common';
import { z } from 'zod';

const upstreamUrl = httpUrl.refine(
  (value) => new URL(value).pathname === '/' && !value.includes('?'),
  'must be an address without a path',
);

const isAddressOrRange = (text: string): boolean => {
  const [address = '', prefix, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
};

const addressesAndRanges = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  )
  .refine((parts) => parts.every(isAddressOrRange), 'must be addresses or CIDR ranges with commas between them');

const shape = z
  .object({
    ...baseEnvironment,
    ...grpcClientEnvironment,
    ...amqpEnvironment,
    ...rateLimitEnvironment,
    /** Whose X-Forwarded headers are believed. */
    TRUSTED_PROXIES: addressesAndRanges,
    IDENTITY_PRIVATE_KEY: pem,
    AUTH_GRPC: grpcAddress,
    AUTH_URL: upstreamUrl,
    MESSAGES_URL: upstreamUrl,
    MEDIA_URL: upstreamUrl,
    CHATBOT_URL: upstreamUrl,
    ADMIN_URL: upstreamUrl,
    WEB_URL: upstreamUrl,
    /** A port of its own, since what is on the public one is for everybody. */
    METRICS_PORT: wholeNumber({ min: 0, max: 65_535 }).optional(),
  })
  .transform((environment) => ({
    host: environment.HOST,
    port: environment.PORT,
    metricsPort: environment.METRICS_PORT,
    logLevel: environment.LOG_LEVEL,
    servicePrivateKey: environment.SERVICE_PRIVATE_KEY,
    amqp: { url: environment.AMQP_URL, prefix: environment.AMQP_PREFIX },
    rateLimitScale: environment.RATE_LIMIT_SCALE,
    trustedProxies: environment.TRUSTED_PROXIES,
    identityPrivateKey: environment.IDENTITY_PRIVATE_KEY,
    authGrpc: environment.AUTH_GRPC,
    upstreams: {
      auth: environment.AUTH_URL,
      messages: environment.MESSAGES_URL,
      media: environment.MEDIA_URL,
      chatbot: environment.CHATBOT_URL,
      admin: environment.ADMIN_URL,
      web: environment.WEB_URL,
    },
  }));

export type GatewayConfig = z.output<typeof shape>;

/** @throws {ConfigError} naming every fault */
export const loadConfig = (environment: Environment): GatewayConfig => readConfig(shape, environment);
