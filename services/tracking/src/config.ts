import {
  amqpEnvironment,
  baseEnvironment,
  grpcServerEnvironment,
  identityEnvironment,
  mongoEnvironment,
  readConfig,
  retentionEnvironment,
  type Environment,
} from '@najwa/common';
import { z } from 'zod';

const shape = z
  .object({
    ...baseEnvironment,
    ...grpcServerEnvironment,
    ...identityEnvironment,
    ...amqpEnvironment,
    ...mongoEnvironment('tracking'),
    ...retentionEnvironment,
    GEOIP_DATABASE: z.string().optional(),
  })
  .transform((environment) => ({
    host: environment.HOST,
    port: environment.PORT,
    grpcPort: environment.GRPC_PORT,
    servicePublicKeys: environment.SERVICE_PUBLIC_KEYS,
    logLevel: environment.LOG_LEVEL,
    identityPublicKey: environment.IDENTITY_PUBLIC_KEY,
    amqp: { url: environment.AMQP_URL, prefix: environment.AMQP_PREFIX },
    mongo: { url: environment.MONGO_URL, database: environment.MONGO_DATABASE },
    retentionDays: environment.TRACKING_RETENTION_DAYS,
    geoipDatabase: environment.GEOIP_DATABASE,
  }));

export type TrackingConfig = z.output<typeof shape>;

/** @throws {ConfigError} naming every fault */
export const loadConfig = (environment: Environment): TrackingConfig => readConfig(shape, environment);
