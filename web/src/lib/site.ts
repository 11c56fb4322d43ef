import { RETENTION } from '@najwa/proto/http/client';

/** Operator settings from the build (vite.config.js). Empty if unset. */
declare const SITE: { tracking: string; trackingDays: string; contact: string } | undefined;

const set = typeof SITE === 'undefined' ? { tracking: '', trackingDays: '', contact: '' } : SITE;

export const site = {
  /** What is kept of a caller's address and device. */
  tracking: set.tracking === 'coarse' || set.tracking === 'off' ? set.tracking : 'full',
  trackingDays: set.trackingDays === '' ? RETENTION.trackingDays : Number(set.trackingDays),
  contact: set.contact,
} as const;
