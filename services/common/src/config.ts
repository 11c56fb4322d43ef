import { createPrivateKey, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { SUBSCRIBERS, type BrokerConfig } from './amqp/topology.js';
import { readPublicKeys } from './grpc/service-token.js';
import { tracingEnvironment, type TracingConfig } from './tracing/tracing.js';

export class ConfigError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(
      `The configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
    );
    this.name = 'ConfigError';
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Empty variables count as unset.
 * @throws {ConfigError} listing every error, without values, which may be secrets
 */
export function readConfig<Shape extends z.ZodType>(shape: Shape, environment: Environment): z.output<Shape> {
  const set = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const result = shape.safeParse(set);
  if (result.success) return result.data;
  throw new ConfigError(
    result.error.issues.map((issue) => {
      const name = issue.path.join('.');
      const missing = issue.code === 'invalid_type' && !(name in set);
      return `${name || 'The environment'}: ${missing ? 'is required' : issue.message}`;
    }),
  );
}

const port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a port number')
  .transform(Number)
  .refine((value) => value <= 65_535, 'must be at most 65535');

/** Plain digits: refuses "30x" and "1e3". */
export const wholeNumber = ({ min, max }: { min: number; max: number }) =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be from ${min} to ${max}`);

const urlOf = (...protocols: string[]) =>
  z
    .string()
    .refine(
      (value) => URL.canParse(value) && protocols.includes(new URL(value).protocol),
      `must be a URL that begins with ${protocols.join('// or ')}//`,
    );

const partsOf = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

export const commaList = z.string().default('').transform(partsOf);

export const hostNames = commaList
  .refine(
    (names) => names.every((name) => /^(\[[\da-f:]+\]|[a-z\d.-]+)$/.test(name)),
    'must be lower-case host names without ports, separated by commas',
  )
  .describe(
    'Host names of the site, separated by commas. Requests for others are refused; if empty, none is. Passkeys belong to them.',
  );

export const grpcAddress = z
  .string()
  .regex(/^[a-zA-Z0-9.-]+:\d{1,5}$/, 'must be host:port')
  .describe('gRPC of the service that it names: `host:port`.');

export const httpUrl = urlOf('http:', 'https:').transform((value) => value.replace(/\/+$/, ''));

export const pem = z
  .string()
  .transform((value) => value.replaceAll('\\n', '\n'))
  .refine((value) => /^-----BEGIN [A-Z ]+-----\n/.test(value), 'must be a PEM');

const seconds = wholeNumber({ min: 0, max: 600 }).transform((value) => value * 1000);

export const baseEnvironment = {
  ...tracingEnvironment,
  /** Loopback, so that exposure is always explicit. */
  HOST: z.string().default('127.0.0.1').describe('Address to listen on.'),
  PORT: port.default(8080).describe('Port of HTTP.'),
  LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('The least that is logged: `debug`, `info`, `warn`, `error` or `silent`.'),
  DRAIN_SECONDS: seconds
    .prefault('0')
    .describe('Time in which a service that was told to stop still serves, so that callers forget it first.'),
  SHUTDOWN_SECONDS: seconds.prefault('5').describe('Time for requests in flight after that.'),
};

/** In milliseconds. */
export interface Shutdown {
  /** Serves, but is not ready. */
  drainMs: number;
  /** For requests in flight. */
  closeMs: number;
}

export interface BaseConfig {
  host: string;
  port: number;
  logLevel: string;
  tracing: TracingConfig;
  shutdown: Shutdown;
}

export const baseConfigOf = (environment: z.output<z.ZodObject<typeof baseEnvironment>>): BaseConfig => ({
  host: environment.HOST,
  port: environment.PORT,
  logLevel: environment.LOG_LEVEL,
  tracing: {
    endpoint: environment.OTEL_EXPORTER_OTLP_ENDPOINT,
    ratio: environment.OTEL_TRACES_SAMPLER_ARG,
  },
  shutdown: { drainMs: environment.DRAIN_SECONDS, closeMs: environment.SHUTDOWN_SECONDS },
});

function readPrivateKey(text: string): KeyObject {
  const key = createPrivateKey(text);
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('The key is not an Ed25519 key.');
  return key;
}

/** Hides errors of `read`, which may contain a secret. */
const readWith = <Result>(read: (text: string) => Result, message: string) =>
  z.string().transform((text, context) => {
    try {
      return read(text);
    } catch {
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    }
  });

const grpcServerEnvironment = {
  GRPC_PORT: port.default(9090).describe('Port of gRPC.'),
  SERVICE_PUBLIC_KEYS: readWith(
    readPublicKeys,
    'must be pairs such as admin=MCowBQ… with commas between them, each with an Ed25519 public key (SPKI, base64)',
  ).describe('Keys of the services that may call: `admin=KEY,gateway=KEY` and so on, each Ed25519, SPKI in base64.'),
};

export const grpcClientEnvironment = {
  SERVICE_PRIVATE_KEY: readWith(
    (text) => readPrivateKey(text.replaceAll('\\n', '\n')),
    'must be an Ed25519 private key (PKCS #8 PEM)',
  ).describe('Its own key for calls to other services: Ed25519, PKCS #8 PEM.'),
};

export const identityEnvironment = {
  IDENTITY_PUBLIC_KEY: pem.describe(
    "Public key of the gateway's `IDENTITY_PRIVATE_KEY`, SPKI PEM. Several, one after the other, in a rotation.",
  ),
};

export const amqpEnvironment = {
  AMQP_URL: urlOf('amqp:', 'amqps:').describe('RabbitMQ 3.10 or newer, for quorum queues.'),
  AMQP_PREFIX: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/, 'must be 1 to 40 of a-z, 0-9 and -')
    .default('najwa')
    .describe('Beginning of the names of exchanges and queues.'),
  AMQP_SUBSCRIBERS: z
    .string()
    .default(SUBSCRIBERS.join())
    .transform(partsOf)
    .pipe(z.array(z.enum(SUBSCRIBERS)))
    .describe(
      'Services that events go to, in a system without some of them: a queue that nobody reads fills the broker.',
    ),
};

export const brokerConfigOf = (environment: z.output<z.ZodObject<typeof amqpEnvironment>>): Required<BrokerConfig> => ({
  url: environment.AMQP_URL,
  prefix: environment.AMQP_PREFIX,
  subscribers: environment.AMQP_SUBSCRIBERS,
});

/** Replica sets name several hosts, which no URL parser accepts. */
export const mongoUrl = z.string().refine((value) => {
  const withOneHost = value.replace(/^(mongodb:\/\/(?:[^@/]*@)?[^,/?]+)(?:,[^,/?]+)+/, '$1');
  return URL.canParse(withOneHost) && ['mongodb:', 'mongodb+srv:'].includes(new URL(withOneHost).protocol);
}, 'must be a URL that begins with mongodb:// or mongodb+srv://');

export const mongoEnvironment = (service: string) => ({
  MONGO_URL: mongoUrl.describe('Server of the MongoDB protocol, without a database in the address.'),
  MONGO_DATABASE: z
    .string()
    .regex(/^[a-zA-Z0-9_-]{1,60}$/, 'must be 1 to 60 letters, digits, _ and -')
    .default(`najwa_${service}`)
    .describe('Its database.'),
});

/** Of a service with a database, events, and calls by others. */
export const backendEnvironment = (service: string) => ({
  ...baseEnvironment,
  ...grpcServerEnvironment,
  ...identityEnvironment,
  ...amqpEnvironment,
  ...mongoEnvironment(service),
});

export const backendConfigOf = (environment: z.output<z.ZodObject<ReturnType<typeof backendEnvironment>>>) => ({
  ...baseConfigOf(environment),
  grpcPort: environment.GRPC_PORT,
  servicePublicKeys: environment.SERVICE_PUBLIC_KEYS,
  identityPublicKey: environment.IDENTITY_PUBLIC_KEY,
  amqp: brokerConfigOf(environment),
  mongo: { url: environment.MONGO_URL, database: environment.MONGO_DATABASE },
});

export const rateLimitEnvironment = {
  RATE_LIMIT_SCALE: z
    .string()
    .regex(/^\d{1,6}(\.\d{1,6})?$/, 'must be a number from 0')
    .transform(Number)
    .default(1)
    .describe('Multiplies every limit, for tests and load. `0` switches limits off.'),
};

/**
 * A rate limit such as `10/900`: 10 points in 900 seconds.
 * @param fallback default, in the same format
 * @param description what it counts
 */
export const rateLimit = (variable: string, fallback: `${number}/${number}`, description: string) =>
  z
    .string()
    .regex(/^[1-9]\d{0,5}\/[1-9]\d{0,5}$/, 'must be a number, a slash and a number of seconds')
    .default(fallback)
    .transform((text) => {
      const [points, seconds] = text.split('/').map(Number) as [number, number];
      const name = variable
        .replace(/_LIMIT$/, '')
        .toLowerCase()
        .replaceAll('_', '-');
      return { name, points, seconds };
    })
    .describe(description);

type RateLimitVariable = ReturnType<typeof rateLimit>;
type DeclaredLimit<Variable extends string> = readonly [
  Variable,
  ...fallbackAndDescription: [`${number}/${number}`, string],
];

/** Variables for a service's schema and their reader, by the names in its code. */
export function declareLimits<Name extends string, Variable extends string>(
  limits: Record<Name, DeclaredLimit<Variable>>,
): {
  environment: Record<Variable, RateLimitVariable>;
  limitsOf: (environment: Record<Variable, z.output<RateLimitVariable>>) => Record<Name, z.output<RateLimitVariable>>;
} {
  const entries = Object.entries<DeclaredLimit<Variable>>(limits) as [Name, DeclaredLimit<Variable>][];
  const record = <Key extends string, Value>(pairs: [Key, Value][]) => Object.fromEntries(pairs) as Record<Key, Value>;
  return {
    environment: record(entries.map(([, [variable, ...rest]]) => [variable, rateLimit(variable, ...rest)])),
    limitsOf: (environment) => record(entries.map(([name, [variable]]) => [name, environment[variable]])),
  };
}
