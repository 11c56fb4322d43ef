import { amqpEnvironment, httpUrl, mongoEnvironment, readConfig, type Environment } from '@najwa/common/config';
import { retentionEnvironment } from '@najwa/common/retention';
import { ledgerEnvironment, senderEnvironment } from '@najwa/product';
import { SERVICE_NAMES, SERVICES, type ServiceFacts } from '@najwa/proto/http/client';
import { Client } from 'minio';
import { mongo } from 'mongoose';
import { z } from 'zod';

const storesEnvironment = {
  MONGO_URL: mongoEnvironment('any').MONGO_URL,
  MONGO_PREFIX: z
    .string()
    .regex(/^[a-zA-Z0-9_-]{1,40}$/, 'must be 1 to 40 letters, digits, _ and -')
    .default('najwa'),
  S3_ENDPOINT: httpUrl,
  S3_ACCESS_KEY: z.string(),
  S3_SECRET_KEY: z.string(),
  S3_BUCKET: z.string().default('najwa-media'),
};

const configOf = (environment: z.output<z.ZodObject<typeof storesEnvironment>>) => ({
  mongoUrl: environment.MONGO_URL,
  /** Prefix of database names. */
  prefix: environment.MONGO_PREFIX,
  endpoint: environment.S3_ENDPOINT,
  accessKey: environment.S3_ACCESS_KEY,
  secretKey: environment.S3_SECRET_KEY,
  bucket: environment.S3_BUCKET,
});

const shape = z.object(storesEnvironment).transform(configOf);

const restoreShape = z
  .object({
    ...storesEnvironment,
    ...ledgerEnvironment,
    AMQP_URL: amqpEnvironment.AMQP_URL,
    AMQP_PREFIX: amqpEnvironment.AMQP_PREFIX,
  })
  .transform((environment) => ({
    ...configOf(environment),
    ledgerUrl: environment.LEDGER_URL ?? environment.MONGO_URL,
    broker: { url: environment.AMQP_URL, prefix: environment.AMQP_PREFIX },
  }));

const keepLessShape = z
  .object({ ...storesEnvironment, ...senderEnvironment, ...retentionEnvironment })
  .transform((environment) => ({
    ...configOf(environment),
    senderKeys: environment.SENDER_KEYS,
    retentionDays: environment.TRACKING_RETENTION_DAYS,
  }));

export type BackupConfig = z.output<typeof shape>;
export type KeepLessConfig = z.output<typeof keepLessShape>;
export type RestoreConfig = z.output<typeof restoreShape>;

/** @throws {ConfigError} naming every fault */
export const loadConfig = (environment: Environment): BackupConfig => readConfig(shape, environment);

/** Also for broker and ledger. @throws {ConfigError} as `loadConfig` */
export const loadRestoreConfig = (environment: Environment): RestoreConfig => readConfig(restoreShape, environment);

/** Of the command that takes stored addresses and devices away. @throws {ConfigError} as `loadConfig` */
export const loadKeepLessConfig = (environment: Environment): KeepLessConfig => readConfig(keepLessShape, environment);

/**
 * Referring services first, so that no backed-up document refers to one created after its database was read. Tracking
 * leads: a trace without its message would attach to the next message with that id.
 */
const REFERRING_FIRST = ['admin', 'tracking', 'messages', 'chatbot', 'auth', 'media'];

export const DATABASE_SERVICES = SERVICE_NAMES.filter((name) => (SERVICES[name] as ServiceFacts).database).sort(
  (a, b) => REFERRING_FIRST.indexOf(a) - REFERRING_FIRST.indexOf(b),
);

export const LEDGER_SERVICES = ['auth', 'messages'] as const;

export interface Stores {
  databaseOf: (service: string) => mongo.Db;
  files: Client;
  bucket: string;
  close: () => Promise<void>;
}

/** MinIO ignores it, but naming one saves a request per bucket. */
export const REGION = 'us-east-1';

export const SELECTION_TIMEOUT_MS = 10_000;

export async function connectStores(config: BackupConfig): Promise<Stores> {
  const client = await mongo.MongoClient.connect(config.mongoUrl, {
    serverSelectionTimeoutMS: SELECTION_TIMEOUT_MS,
    writeConcern: { w: 'majority' },
  });
  const { protocol, hostname, port } = new URL(config.endpoint);
  return {
    databaseOf: (service) => client.db(`${config.prefix}_${service}`),
    files: new Client({
      endPoint: hostname,
      ...(port !== '' && { port: Number(port) }),
      useSSL: protocol === 'https:',
      accessKey: config.accessKey,
      secretKey: config.secretKey,
      region: REGION,
    }),
    bucket: config.bucket,
    close: () => client.close(),
  };
}
