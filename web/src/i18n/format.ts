import { languages, type Language } from './languages.js';

const SECONDS_IN_MINUTE = 60;
const MEGABYTE = 1024 * 1024;
/** Smaller files are rounded up: 0 would mean no file. */
const SMALLEST_MEGABYTES = 0.1;

export interface Formats {
  number: (value: number) => string;
  date: (value: string) => string;
  time: (value: string) => string;
  dateTime: (value: string) => string;
  megabytes: (bytes: number) => string;
  duration: (seconds: number) => string;
}

/** Lazy: each takes a slow phone some milliseconds, and few pages need all. */
export function onFirstUse<Format>(make: () => Format): () => Format {
  let made: Format | undefined;
  return () => (made ??= make());
}

/** @param timeZone defaults to the reader's */
export function createFormats(language: Language, timeZone?: 'UTC'): Formats {
  const { locale } = languages[language];
  const numbers = onFirstUse(() => new Intl.NumberFormat(locale));
  const dates = onFirstUse(
    () => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', year: 'numeric', timeZone }),
  );
  const clockDigits = onFirstUse(() => new Intl.NumberFormat(locale, { minimumIntegerDigits: 2, useGrouping: false }));
  const times = onFirstUse(
    () => new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit', hour12: true, timeZone }),
  );
  const megabytes = onFirstUse(
    () =>
      new Intl.NumberFormat(locale, {
        style: 'unit',
        unit: 'megabyte',
        unitDisplay: language === 'ar' ? 'long' : 'short',
        maximumFractionDigits: 1,
      }),
  );
  const date = (value: string): string => dates().format(new Date(value));
  // No line break before am or pm.
  const time = (value: string): string => times().format(new Date(value)).replace(' ', '\u00a0');

  return {
    number: (value) => numbers().format(value),
    date,
    time,
    // Stay on one line.
    dateTime: (value) => `${date(value)}\u00a0\u00a0\u00a0${time(value)}`,
    megabytes: (bytes) => megabytes().format(Math.max(bytes / MEGABYTE, SMALLEST_MEGABYTES)),
    duration: (seconds) => {
      const whole = Math.round(seconds);
      const digits = clockDigits();
      return `${digits.format(Math.floor(whole / SECONDS_IN_MINUTE))}:${digits.format(whole % SECONDS_IN_MINUTE)}`;
    },
  };
}
