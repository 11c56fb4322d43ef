import { RETENTION } from '@najwa/proto/http/client';

/** What the operator of a site sets when the client is built, in vite.config.js. Empty strings where nothing is set. */
declare const SITE: { trackingDays: string; contact: string } | undefined;

const set = typeof SITE === 'undefined' ? { trackingDays: '', contact: '' } : SITE;

export const site = {
  trackingDays: set.trackingDays === '' ? RETENTION.trackingDays : Number(set.trackingDays),
  contact: set.contact,
};
