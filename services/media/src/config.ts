import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { isAbsolute } from 'node:path';
import {
  amqpEnvironment,
  baseEnvironment,
  grpcServerEnvironment,
  httpUrl,
  identityEnvironment,
  mongoEnvironment,
  rateLimit,
  rateLimitEnvironment,
  readConfig,
  type Environment,
} from '@najwa/common';
import { z } from 'zod';

/** Path of the packaged ffmpeg. The file is missing if its download was blocked. */
const packagedFfmpeg = createRequire(import.meta.url)('ffmpeg-static') as string | null;

/** FFMPEG_BIN, else the packaged ffmpeg if present, else the one on the PATH. */
const findFfmpeg = (named: string | undefined): string =>
  named ?? (packagedFfmpeg !== null && existsSync(packagedFfmpeg) ? packagedFfmpeg : 'ffmpeg');

const shape = z
  .object({
    ...baseEnvironment,
    ...grpcServerEnvironment,
    ...identityEnvironment,
    ...amqpEnvironment,
    ...mongoEnvironment('media'),
    ...rateLimitEnvironment,
    VOICE_LIMIT: rateLimit('voice', '6/60'),
    PATH: z.string().default('/usr/local/bin:/usr/bin:/bin'),
    FFMPEG_BIN: z.string().optional(),
    RECORDINGS_FOLDER: z.string().refine(isAbsolute, 'must be an absolute path').default(tmpdir()),
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
    servicePublicKeys: environment.SERVICE_PUBLIC_KEYS,
    logLevel: environment.LOG_LEVEL,
    identityPublicKey: environment.IDENTITY_PUBLIC_KEY,
    amqp: { url: environment.AMQP_URL, prefix: environment.AMQP_PREFIX },
    mongo: { url: environment.MONGO_URL, database: environment.MONGO_DATABASE },
    limits: { scale: environment.RATE_LIMIT_SCALE, voice: environment.VOICE_LIMIT },
    ffmpeg: { program: findFfmpeg(environment.FFMPEG_BIN), path: environment.PATH },
    recordingsFolder: environment.RECORDINGS_FOLDER,
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
