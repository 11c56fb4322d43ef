import type { QuietHours } from '@najwa/proto/http';
import { LRUCache } from 'lru-cache';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;

/** Constructing one costs more than all other steps. */
const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 500 });

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  formats.set(timeZone, format);
  return format;
}

const minutesOf = (clock: string): number => {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  return hours * 60 + minutes;
};

/** Minutes until the next `to`. */
const ahead = (from: number, to: number): number => (to - from + DAY_MINUTES) % DAY_MINUTES;

/** End of quiet hours, or null outside of them. An end that daylight saving skips is the moment of the change. */
export function quietUntil({ from, to, timeZone }: QuietHours, at: Date): Date | null {
  const clock = clockOf(timeZone);
  const [begin, end] = [minutesOf(from), minutesOf(to)];
  const minutesAt = (time: number): number => minutesOf(clock.format(time));
  const isQuiet = (time: number): boolean => ahead(begin, minutesAt(time)) < ahead(begin, end);

  let time = Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS;
  if (!isQuiet(time)) return null;
  // Loops again only if the clock was set back.
  let quiet = time;
  while (isQuiet(time)) {
    quiet = time;
    time += ahead(minutesAt(time), end) * MINUTE_MS;
  }
  // If the clock was set forward, `time` is too late: bisect.
  while (time - quiet > MINUTE_MS) {
    const middle = Math.floor((quiet + time) / 2 / MINUTE_MS) * MINUTE_MS;
    if (isQuiet(middle)) quiet = middle;
    else time = middle;
  }
  return new Date(time);
}
