import type { Environment } from '../bootstrap/environment.js';

export const SERVICE_NAMES = ['auth', 'media', 'tracking', 'chatbot', 'messages', 'admin', 'gateway'] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];

export interface Ports {
  http: number;
  grpc: number;
}

interface Needs {
  /** Has a gRPC server. */
  grpc?: true;
  /** Has a database, named after the service. */
  mongo?: true;
  /** Further variables of the infrastructure. */
  infrastructure?: readonly string[];
  /** Whose gRPC servers it calls. */
  callsGrpc?: readonly ServiceName[];
  /** Whose HTTP servers it calls. */
  callsHttp?: readonly (ServiceName | 'web')[];
  /** Which secrets of this system it gets. */
  secrets?: readonly ('IDENTITY_PRIVATE_KEY' | 'ADMIN_SECRET')[];
  /** Which variables of the person who starts the system reach it. */
  own?: readonly string[];
}

/** What each service reads. Everything else of our environment stays away from it. */
export const NEEDS: Readonly<Record<ServiceName, Needs>> = {
  auth: { grpc: true, mongo: true, callsGrpc: ['media'] },
  messages: { mongo: true, callsGrpc: ['auth', 'media'] },
  media: {
    grpc: true,
    mongo: true,
    infrastructure: ['S3_ENDPOINT', 'S3_ACCESS_KEY', 'S3_SECRET_KEY', 'FFMPEG_BIN'],
    own: ['S3_BUCKET', 'RECORDINGS_FOLDER'],
  },
  tracking: { grpc: true, mongo: true, own: ['TRACKING_RETENTION_DAYS', 'GEOIP_DATABASE'] },
  chatbot: {
    grpc: true,
    mongo: true,
    callsGrpc: ['auth', 'media'],
    own: [
      'OPENAI_API_KEY',
      'OPENAI_BASE_URL',
      'OPENAI_MODEL',
      'OPENAI_TIMEOUT_MS',
      'OPENAI_PAUSE_MS',
      'OPENAI_CALLER_TOKENS',
      'OPENAI_DAILY_TOKENS',
      'TRACKING_RETENTION_DAYS',
    ],
  },
  admin: {
    mongo: true,
    callsGrpc: ['auth', 'tracking', 'chatbot'],
    secrets: ['ADMIN_SECRET'],
    own: ['TRACKING_RETENTION_DAYS'],
  },
  gateway: {
    callsGrpc: ['auth'],
    callsHttp: ['auth', 'messages', 'media', 'chatbot', 'admin', 'web'],
    secrets: ['IDENTITY_PRIVATE_KEY'],
    own: ['TRUSTED_PROXIES', 'METRICS_PORT'],
  },
};

/** What reaches every service. Limits are named `…_LIMIT`. */
const OWN_OF_ALL = ['LOG_LEVEL', 'RATE_LIMIT_SCALE', 'AMQP_PREFIX'];
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

export interface Secrets {
  IDENTITY_PRIVATE_KEY: string;
  IDENTITY_PUBLIC_KEY: string;
  /** The key with which each service signs its gRPC calls. Each gets its own alone. */
  servicePrivateKeys: Readonly<Record<ServiceName, string>>;
  SERVICE_PUBLIC_KEYS: string;
  ADMIN_SECRET: string;
}

/** How the services of one system find each other, and what they stand on. */
export interface Wiring {
  host: string;
  ports: Readonly<Record<ServiceName | 'web', Ports>>;
  infrastructure: Readonly<Record<string, string>>;
  secrets: Secrets;
  /** The environment of the person who starts the system. */
  own: Environment;
  /** Keeps systems apart that share a MongoDB server; the services' own names for their databases unless given. */
  databasePrefix?: string;
}

const isLimit = (name: string): boolean => /^[A-Z][A-Z_]*_LIMIT$/.test(name);

/** The person's variables that reach the service. */
export function ownVariablesOf(service: ServiceName, own: Environment): string[] {
  const passed = new Set([...OWN_OF_ALL, ...(NEEDS[service].own ?? [])]);
  return Object.keys(own).filter((name) => own[name] && (passed.has(name) || isLimit(name)));
}

function pick(names: readonly string[], from: Environment): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (from[name] ? [[name, from[name]]] : [])));
}

/** The whole environment of one service's process. */
export function environmentOf(
  service: ServiceName,
  { host, ports, infrastructure, secrets, own, databasePrefix }: Wiring,
): Record<string, string> {
  const needs = NEEDS[service];
  const addresses: Record<string, string> = {};
  for (const name of needs.callsGrpc ?? []) addresses[`${name.toUpperCase()}_GRPC`] = `${host}:${ports[name].grpc}`;
  for (const name of needs.callsHttp ?? [])
    addresses[`${name.toUpperCase()}_URL`] = `http://${host}:${ports[name].http}`;
  return {
    ...pick(OF_THE_MACHINE, own),
    ...pick(ownVariablesOf(service, own), own),
    HOST: host,
    PORT: String(ports[service].http),
    IDENTITY_PUBLIC_KEY: secrets.IDENTITY_PUBLIC_KEY,
    ...(needs.grpc && {
      GRPC_PORT: String(ports[service].grpc),
      SERVICE_PUBLIC_KEYS: secrets.SERVICE_PUBLIC_KEYS,
    }),
    ...(needs.callsGrpc && { SERVICE_PRIVATE_KEY: secrets.servicePrivateKeys[service] }),
    ...(needs.mongo && databasePrefix !== undefined && { MONGO_DATABASE: `${databasePrefix}_${service}` }),
    ...pick(['AMQP_URL', ...(needs.mongo ? ['MONGO_URL'] : []), ...(needs.infrastructure ?? [])], infrastructure),
    ...pick(needs.secrets ?? [], {
      IDENTITY_PRIVATE_KEY: secrets.IDENTITY_PRIVATE_KEY,
      ADMIN_SECRET: secrets.ADMIN_SECRET,
    }),
    ...addresses,
  };
}
