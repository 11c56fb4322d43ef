import { backendConfigOf, backendEnvironment, readConfig, type Environment } from '@najwa/common/config';
import { retentionEnvironment, trackingEnvironment } from '@najwa/common/retention';
import { senderEnvironment } from '@najwa/product';
import { z } from 'zod';

export const shape = z
  .object({
    ...backendEnvironment('tracking'),
    ...retentionEnvironment,
    ...trackingEnvironment,
    ...senderEnvironment,
    GEOIP_DATABASE: z
      .string()
      .optional()
      .describe("File in MaxMind's format, for the places in tracking. Without it there are none."),
  })
  .transform((environment) => ({
    ...backendConfigOf(environment),
    tracking: environment.TRACKING,
    retentionDays: environment.TRACKING_RETENTION_DAYS,
    senderKeys: environment.SENDER_KEYS,
    geoipDatabase: environment.GEOIP_DATABASE,
  }));

export type TrackingConfig = z.output<typeof shape>;

export const loadConfig = (environment: Environment): TrackingConfig => readConfig(shape, environment);
