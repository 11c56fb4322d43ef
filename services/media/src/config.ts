import { amqpEnvironment, baseEnvironment, grpcServerEnvironment, httpUrl, identityEnvironment, mongoEnvironment, readConfig, type Environment } from '@najwa/common';
import { z } from 'zod';

const shape = z
  .object({
    ...baseEnvironment,
    ...grpcServerEnvironment,
    ...identityEnvironment,
    ...amqpEnvironment,
    ...mongoEnvironment('media'),
    S3_ENDPOINT: httpUrl,
    S3_ACCESS_KEY: z.string(),
    S3_SECRET_KEY: z.string(),
    S3_BUCKET: z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/, 'must be 3 to 63 of a-z, 0-9 and -')
      .default('najwa-media'),
  })
  .transform((environment) => ({
    host: environment.HOST,
    port: environment.PORT,
    grpcPort: environment.GRPC_PORT,
    logLevel: environment.LOG_LEVEL,
    identityPublicKey: environment.IDENTITY_PUBLIC_KEY,
    amqp: { url: environment.AMQP_URL, prefix: environment.AMQP_PREFIX },
    mongo: { url: environment.MONGO_URL, database: environment.MONGO_DATABASE },
    s3: {
      endpoint: environment.S3_ENDPOINT,
      accessKey: environment.S3_ACCESS_KEY,
      secretKey: environment.S3_SECRET_KEY,
      bucket: environment.S3_BUCKET,
    },
  }));

export type MediaConfig = z.output<typeof shape>;

/** @throws {ConfigError} naming every fault */
export const loadConfig = (environment: Environment): MediaConfig => readConfig(shape, environment);
