import { RETENTION } from '@najwa/proto/http/client';

/** Settings of the site's operator from the build (vite.config.js). Empty strings if unset. */
declare const SITE: { trackingDays: string; contact: string } | undefined;

const set = typeof SITE === 'undefined' ? { trackingDays: '', contact: '' } : SITE;

export const site = {
  trackingDays: set.trackingDays === '' ? RETENTION.trackingDays : Number(set.trackingDays),
  contact: set.contact,
};
