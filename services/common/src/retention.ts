import { RETENTION } from '@najwa/proto/http/client';
import { z } from 'zod';
import { wholeNumber } from './config.js';

const DAY_MS = 24 * 60 * 60 * 1000;

export const retentionEnvironment = {
  TRACKING_RETENTION_DAYS: wholeNumber({ min: 1, max: 3650 })
    .default(RETENTION.trackingDays)
    .describe('Days for which network addresses and other tracking data are stored.'),
};

/** For services that decide what is kept of callers, or say so. */
export const trackingEnvironment = {
  TRACKING: z
    .enum(['full', 'coarse', 'off'])
    .default('full')
    .describe(
      'What is kept of a caller: `full`, `coarse` (the network to /24 or /48, and the kind of device) or `off` (neither address nor device).',
    ),
};

export type TrackingMode = z.output<typeof trackingEnvironment.TRACKING>;

export interface Retention {
  cutoff(now: Date): Date;
  isOver(createdAt: Date, now: Date): boolean;
}

export function createRetention(days: number): Retention {
  const cutoff = (now: Date): Date => new Date(now.getTime() - days * DAY_MS);
  return { cutoff, isOver: (createdAt, now) => createdAt < cutoff(now) };
}

/** Key prefix of stored files that expire within a day. Not backed up. */
export const TEMPORARY_OBJECTS = 'temporary/';
