import {
  amqpEnvironment,
  baseConfigOf,
  baseEnvironment,
  brokerConfigOf,
  commaList,
  grpcAddress,
  grpcClientEnvironment,
  hostNames,
  httpUrl,
  pem,
  rateLimit,
  rateLimitEnvironment,
  readConfig,
  wholeNumber,
  type Environment,
} from '@najwa/common/config';
import { trackingEnvironment } from '@najwa/common/retention';
import { z } from 'zod';

const upstreamUrl = httpUrl
  .refine((value) => new URL(value).pathname === '/' && !value.includes('?'), 'must be an address without a path')
  .describe('HTTP of the service that it names: `http://host:port`.');

const addressOrRange = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);

const addressesAndRanges = commaList.refine(
  (parts) => parts.every((part) => addressOrRange.safeParse(part).success),
  'must be addresses or CIDR ranges, separated by commas',
);

/** In all, and for one network: `2000/64`. */
const bounds = (fallback: `${number}/${number}`, description: string) =>
  z
    .string()
    .regex(/^[1-9]\d{0,5}\/[1-9]\d{0,5}$/, 'must be the bound in all, a slash and the bound for one network')
    .default(fallback)
    .transform((text) => text.split('/').map(Number) as [total: number, perNetwork: number])
    .describe(`${description}: in all, a slash, and for one network.`);

const milliseconds = (seconds: string) =>
  wholeNumber({ min: 1, max: 600 })
    .prefault(seconds)
    .transform((value) => value * 1000);

export const shape = z
  .object({
    ...baseEnvironment,
    ...grpcClientEnvironment,
    ...amqpEnvironment,
    ...rateLimitEnvironment,
    ...trackingEnvironment,
    TRUSTED_PROXIES: addressesAndRanges.describe(
      'Proxies whose `X-Forwarded-For` is trusted: addresses or CIDR ranges, separated by commas.',
    ),
    PUBLIC_HOSTS: hostNames,
    SECURITY_CONTACT: z
      .string()
      .regex(/^(mailto:|https:\/\/)\S+$/, 'must begin with mailto: or https://')
      .optional()
      .describe('Where holes are reported, for `/.well-known/security.txt`: `mailto:` or `https:`.'),
    NETWORK_LIMIT: rateLimit(
      'NETWORK_LIMIT',
      '600/60',
      'Requests of one network in each replica. A person with every page open uses a tenth of it.',
    ),
    GATEWAY_WORKERS: wholeNumber({ min: 1, max: 64 })
      .prefault('1')
      .describe('Processes that share the port, one for each core that they may use.'),
    GATEWAY_SHELL: z
      .enum(['express-gateway', 'plain'])
      .default('express-gateway')
      .describe('What runs `gateway.config.yml`: Express Gateway, or our own few lines on Express 5 (`plain`).'),
    CACHE_MEGABYTES: wholeNumber({ min: 1, max: 65_536 })
      .prefault('64')
      .describe('Memory for public pages and answers in each process.'),
    PICTURE_MEGABYTES: wholeNumber({ min: 1, max: 65_536 })
      .prefault('16')
      .describe('Memory for preview pictures in each process, besides.'),
    MAX_REQUESTS: bounds('2000/64', 'Requests under way at once'),
    MAX_UPLOADS: bounds(
      '64/8',
      'Uploads under way at once (requests with a body larger than 64 kB, or of unknown length)',
    ),
    MAX_STREAMS: bounds('20000/64', 'Event streams that are open at once'),
    BODY_MIN_RATE: wholeNumber({ min: 1, max: 1_000_000 })
      .prefault('4096')
      .describe('The slowest average at which a body may arrive, in bytes a second.'),
    BODY_GRACE_SECONDS: milliseconds('5').describe('Time before that average counts.'),
    BODY_PAUSE_SECONDS: milliseconds('10').describe('The longest pause in a body.'),
    BODY_MAX_RATE: wholeNumber({ min: 65_536, max: 1_000_000_000 })
      .prefault('8000000')
      .describe('Speed at which the large bodies of one network are read together, in bytes a second.'),
    IDENTITY_PRIVATE_KEY: pem.describe('Its key for the identity that services see: Ed25519, PKCS #8 PEM.'),
    AUTH_GRPC: grpcAddress,
    MESSAGES_GRPC: grpcAddress,
    AUTH_URL: upstreamUrl,
    MESSAGES_URL: upstreamUrl,
    MEDIA_URL: upstreamUrl,
    CHATBOT_URL: upstreamUrl,
    ADMIN_URL: upstreamUrl,
    WEB_URL: upstreamUrl,
    METRICS_PORT: wholeNumber({ min: 0, max: 65_535 })
      .optional()
      .describe(
        'Port of its metrics, since the public one is open to everyone. The others have `GET /metrics` on `PORT`.',
      ),
  })
  .transform((environment) => ({
    ...baseConfigOf(environment),
    metricsPort: environment.METRICS_PORT,
    servicePrivateKey: environment.SERVICE_PRIVATE_KEY,
    amqp: brokerConfigOf(environment),
    rateLimitScale: environment.RATE_LIMIT_SCALE,
    limits: {
      network: environment.NETWORK_LIMIT,
      requests: environment.MAX_REQUESTS[0],
      requestsPerNetwork: environment.MAX_REQUESTS[1],
      uploads: environment.MAX_UPLOADS[0],
      uploadsPerNetwork: environment.MAX_UPLOADS[1],
      streams: environment.MAX_STREAMS[0],
      streamsPerNetwork: environment.MAX_STREAMS[1],
      bodyBytesPerSecond: environment.BODY_MAX_RATE,
      arrival: {
        minBytesPerSecond: environment.BODY_MIN_RATE,
        graceMs: environment.BODY_GRACE_SECONDS,
        maxPauseMs: environment.BODY_PAUSE_SECONDS,
      },
    },
    tracking: environment.TRACKING,
    workers: environment.GATEWAY_WORKERS,
    shell: environment.GATEWAY_SHELL,
    cacheBytes: environment.CACHE_MEGABYTES * 1024 * 1024,
    pictureBytes: environment.PICTURE_MEGABYTES * 1024 * 1024,
    trustedProxies: environment.TRUSTED_PROXIES,
    publicHosts: environment.PUBLIC_HOSTS,
    securityContact: environment.SECURITY_CONTACT,
    identityPrivateKey: environment.IDENTITY_PRIVATE_KEY,
    authGrpc: environment.AUTH_GRPC,
    messagesGrpc: environment.MESSAGES_GRPC,
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

export const loadConfig = (environment: Environment): GatewayConfig => readConfig(shape, environment);
