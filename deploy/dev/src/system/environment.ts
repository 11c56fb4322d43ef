import {
  API_SERVICES,
  SERVICES,
  type GrpcService,
  type ServiceFacts,
  type ServiceName,
} from '@najwa/proto/http/client';
import type { Environment } from '../bootstrap/environment.js';

export { SERVICE_NAMES, type ServiceName } from '@najwa/proto/http/client';

export interface Ports {
  http: number;
  grpc: number;
}

interface Needs {
  infrastructure?: readonly string[];
  callsGrpc?: readonly GrpcService[];
  callsHttp?: readonly (ServiceName | 'web')[];
  secrets?: readonly Exclude<keyof Secrets, 'IDENTITY_PUBLIC_KEY' | 'SERVICE_PUBLIC_KEYS' | 'servicePrivateKeys'>[];
  /** User variables to pass on. */
  own?: readonly string[];
}

/** In addition to the contract's service table. No other variables are passed on. */
const NEEDS: Readonly<Record<ServiceName, Needs>> = {
  auth: {
    callsGrpc: ['media'],
    secrets: ['ACCOUNT_KEYS'],
    own: ['STAFF_TOTP_REQUIRED', 'PUBLIC_HOSTS'],
  },
  messages: {
    callsGrpc: ['auth', 'media', 'chatbot'],
    secrets: ['MODERATION_KEYS', 'SENDER_KEYS', 'PUSH_KEYS'],
    own: [
      'TRACKING_RETENTION_DAYS',
      'PUSH_CONTACT',
      'PUSH_TRUSTED_ORIGINS',
      'PUSH_PAUSE_SECONDS',
      'PUSH_REPLY_DELAY_SECONDS',
    ],
  },
  media: {
    infrastructure: ['S3_ENDPOINT', 'S3_ACCESS_KEY', 'S3_SECRET_KEY', 'FFMPEG_BIN'],
    secrets: ['SENDER_KEYS'],
    own: ['S3_BUCKET', 'RECORDINGS_FOLDER'],
  },
  tracking: { secrets: ['SENDER_KEYS'], own: ['TRACKING', 'TRACKING_RETENTION_DAYS', 'GEOIP_DATABASE'] },
  chatbot: {
    callsGrpc: ['auth', 'media'],
    own: [
      'OPENAI_API_KEY',
      'OPENAI_BASE_URL',
      'OPENAI_MODEL',
      'OPENAI_TIMEOUT_MS',
      'OPENAI_PAUSE_MS',
      'OPENAI_CALLER_TOKENS',
      'OPENAI_DAILY_TOKENS',
      'TRACKING',
      'TRACKING_RETENTION_DAYS',
    ],
  },
  admin: {
    callsGrpc: ['auth', 'tracking', 'chatbot', 'messages'],
    secrets: ['ADMIN_SECRET'],
    own: ['TRACKING_RETENTION_DAYS', 'ADMIN_SECRET_PREVIOUS'],
  },
  gateway: {
    callsGrpc: ['auth', 'messages'],
    callsHttp: [...API_SERVICES, 'web'],
    secrets: ['IDENTITY_PRIVATE_KEY'],
    own: [
      'TRACKING',
      'TRUSTED_PROXIES',
      'METRICS_PORT',
      'PUBLIC_HOSTS',
      'SECURITY_CONTACT',
      'CACHE_MEGABYTES',
      'PICTURE_MEGABYTES',
      'GATEWAY_WORKERS',
      'GATEWAY_SHELL',
      'MAX_REQUESTS',
      'MAX_UPLOADS',
      'MAX_STREAMS',
      'BODY_MIN_RATE',
      'BODY_GRACE_SECONDS',
      'BODY_PAUSE_SECONDS',
      'BODY_MAX_RATE',
    ],
  },
};

export const callsOf = (
  service: ServiceName,
): { grpc: readonly GrpcService[]; http: readonly (ServiceName | 'web')[] } => ({
  grpc: NEEDS[service].callsGrpc ?? [],
  http: NEEDS[service].callsHttp ?? [],
});

/** And every `…_LIMIT`. */
const OWN_OF_ALL = [
  'LOG_LEVEL',
  'RATE_LIMIT_SCALE',
  'AMQP_PREFIX',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_TRACES_SAMPLER_ARG',
];
const OF_THE_MACHINE = [
  'PATH',
  'HOME',
  'LANG',
  'TZ',
  'TMPDIR',
  'NODE_ENV',
  'NODE_EXTRA_CA_CERTS',
  'HTTPS_PROXY',
  'HTTP_PROXY',
  'NO_PROXY',
];

/**
 * As in the Dockerfile. glibc keeps an arena of freed memory per thread, and raises the threshold after each large
 * block unless it is given.
 */
export const OF_THE_PROCESS = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' };

export interface Secrets {
  IDENTITY_PRIVATE_KEY: string;
  IDENTITY_PUBLIC_KEY: string;
  /** Each service gets only its own. */
  servicePrivateKeys: Readonly<Record<ServiceName, string>>;
  SERVICE_PUBLIC_KEYS: string;
  ADMIN_SECRET: string;
  ACCOUNT_KEYS: string;
  MODERATION_KEYS: string;
  SENDER_KEYS: string;
  PUSH_KEYS: string;
}

export interface Wiring {
  host: string;
  ports: Readonly<Record<ServiceName | 'web', Ports>>;
  infrastructure: Readonly<Record<string, string>>;
  secrets: Secrets;
  /** Of the user. */
  own: Environment;
  /** Separates systems on one MongoDB server. Services' own names by default. */
  databasePrefix?: string;
}

const isLimit = (name: string): boolean => /^[A-Z][A-Z_]*_LIMIT$/.test(name);

export function ownVariablesOf(service: ServiceName, own: Environment): string[] {
  const passed = new Set([...OWN_OF_ALL, ...(NEEDS[service].own ?? [])]);
  return Object.keys(own).filter((name) => own[name] && (passed.has(name) || isLimit(name)));
}

function pick(names: readonly string[], from: Environment): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (from[name] ? [[name, from[name]]] : [])));
}

/** The complete environment. */
export function environmentOf(
  service: ServiceName,
  { host, ports, infrastructure, secrets, own, databasePrefix }: Wiring,
): Record<string, string> {
  const needs = NEEDS[service];
  const { grpc, database }: ServiceFacts = SERVICES[service];
  const addresses: Record<string, string> = {};
  for (const name of needs.callsGrpc ?? []) addresses[`${name.toUpperCase()}_GRPC`] = `${host}:${ports[name].grpc}`;
  for (const name of needs.callsHttp ?? [])
    addresses[`${name.toUpperCase()}_URL`] = `http://${host}:${ports[name].http}`;
  return {
    ...pick(OF_THE_MACHINE, own),
    ...OF_THE_PROCESS,
    ...pick(ownVariablesOf(service, own), own),
    HOST: host,
    PORT: String(ports[service].http),
    IDENTITY_PUBLIC_KEY: secrets.IDENTITY_PUBLIC_KEY,
    ...(grpc && {
      GRPC_PORT: String(ports[service].grpc),
      SERVICE_PUBLIC_KEYS: secrets.SERVICE_PUBLIC_KEYS,
    }),
    ...(needs.callsGrpc && { SERVICE_PRIVATE_KEY: secrets.servicePrivateKeys[service] }),
    ...(database && databasePrefix !== undefined && { MONGO_DATABASE: `${databasePrefix}_${service}` }),
    ...pick(['AMQP_URL', ...(database ? ['MONGO_URL'] : []), ...(needs.infrastructure ?? [])], infrastructure),
    ...pick(needs.secrets ?? [], {
      IDENTITY_PRIVATE_KEY: secrets.IDENTITY_PRIVATE_KEY,
      ADMIN_SECRET: secrets.ADMIN_SECRET,
      ACCOUNT_KEYS: secrets.ACCOUNT_KEYS,
      MODERATION_KEYS: secrets.MODERATION_KEYS,
      SENDER_KEYS: secrets.SENDER_KEYS,
      PUSH_KEYS: secrets.PUSH_KEYS,
    }),
    ...addresses,
  };
}
