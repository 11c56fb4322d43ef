import type { Translate } from './translate.js';
import type { Formats } from './format.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

interface Clock {
  t: Translate;
  formats: Formats;
  now: number;
}

/** Up to 30 days, then the date. A future time, from a slow clock, shows as "now". */
export function relativeTime(value: string, { t, formats, now }: Clock): string {
  const age = now - Date.parse(value);
  if (age < MINUTE) return t('common.time.now');
  if (age < HOUR) return t('common.time.minute', { count: Math.floor(age / MINUTE) });
  if (age < DAY) return t('common.time.hour', { count: Math.floor(age / HOUR) });
  if (age < 30 * DAY) return t('common.time.day', { count: Math.floor(age / DAY) });
  return formats.date(value);
}

export function messageTime(value: string, clock: Clock): string {
  return clock.now - Date.parse(value) < DAY ? relativeTime(value, clock) : clock.formats.dateTime(value);
}

export function lastSeen(value: string | null, clock: Clock): string {
  const { t, now } = clock;
  if (value === null) return t('common.presence.never');
  if (now - Date.parse(value) < MINUTE) return t('common.presence.lastSeenNow');
  return t('common.presence.lastSeen', { time: relativeTime(value, clock) });
}
