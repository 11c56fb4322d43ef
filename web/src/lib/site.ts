import { RETENTION } from '@najwa/proto/http/client';

/** Operator settings from the build (vite.config.js). Empty if unset. */
declare const SITE: { trackingDays: string; contact: string } | undefined;

const set = typeof SITE === 'undefined' ? { trackingDays: '', contact: '' } : SITE;

export const site = {
  trackingDays: set.trackingDays === '' ? RETENTION.trackingDays : Number(set.trackingDays),
  contact: set.contact,
};
