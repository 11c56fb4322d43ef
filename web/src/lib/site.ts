import { RETENTION } from '@najwa/proto/http/client';

interface Settings {
  tracking: string;
  trackingDays: string;
  contact: string;
  help: Record<'ar' | 'en', string>;
}

/** Operator settings from the build (vite.config.js). Empty if unset. */
declare const SITE: Settings | undefined;

const unset: Settings = { tracking: '', trackingDays: '', contact: '', help: { ar: '', en: '' } };
const set = typeof SITE === 'undefined' ? unset : SITE;

export const site = {
  /** What is kept of a caller's address and device. */
  tracking: set.tracking === 'coarse' || set.tracking === 'off' ? set.tracking : 'full',
  trackingDays: set.trackingDays === '' ? RETENTION.trackingDays : Number(set.trackingDays),
  contact: set.contact,
  help: set.help,
} as const;
