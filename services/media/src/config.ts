import { tmpdir } from 'node:os';
import { isAbsolute } from 'node:path';
import {
  backendConfigOf,
  backendEnvironment,
  declareLimits,
  httpUrl,
  rateLimitEnvironment,
  readConfig,
  type Environment,
} from '@najwa/common/config';
import { senderEnvironment } from '@najwa/product';
import { z } from 'zod';

const LIMITS = declareLimits({
  voice: ['VOICE_LIMIT', '6/60', 'Voice uploads and previews of one sender.'],
  pixels: ['PICTURE_SITE_LIMIT', '300/60', 'Megapixels of pictures of one site.'],
  seconds: ['VOICE_SITE_LIMIT', '600/60', 'Seconds of recordings of one site.'],
});

export const shape = z
  .object({
    ...backendEnvironment('media'),
    ...rateLimitEnvironment,
    ...senderEnvironment,
    ...LIMITS.environment,
    PATH: z.string().default('/usr/local/bin:/usr/bin:/bin').describe('Where ffmpeg looks for programs.'),
    FFMPEG_BIN: z.string().default('ffmpeg').describe('Path of ffmpeg.'),
    RECORDINGS_FOLDER: z
      .string()
      .refine(isAbsolute, 'must be an absolute path')
      .optional()
      .describe('Parent of its own folder for recordings. By default the temporary folder of the system.'),
    S3_ENDPOINT: httpUrl.describe('An S3 store.'),
    S3_ACCESS_KEY: z.string().describe('Name of the key to it.'),
    S3_SECRET_KEY: z.string().describe('The key.'),
    S3_BUCKET: z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/, 'must be 3 to 63 of a-z, 0-9 and -')
      .default('najwa-media')
      .describe('Made where it is missing.'),
  })
  .transform((environment) => ({
    ...backendConfigOf(environment),
    limits: {
      scale: environment.RATE_LIMIT_SCALE,
      ...LIMITS.limitsOf(environment),
    },
    ffmpeg: { program: environment.FFMPEG_BIN, path: environment.PATH },
    senderKeys: environment.SENDER_KEYS,
    recordingsFolder: environment.RECORDINGS_FOLDER ?? tmpdir(),
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
