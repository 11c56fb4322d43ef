import { languages, type Language } from './languages.js';

const SECONDS_IN_MINUTE = 60;
const MEGABYTE = 1024 * 1024;
/** Smaller files are rounded up to it, because 0 would say that there is no file. */
const SMALLEST_MEGABYTES = 0.1;

export interface Formats {
  /** A number in the digits of the language. */
  number: (value: number) => string;
  /** d MMMM yyyy */
  date: (value: string) => string;
  /** The time on a 12-hour clock. */
  time: (value: string) => string;
  /** The date and the time on a 12-hour clock. */
  dateTime: (value: string) => string;
  /** Bytes in megabytes, with one decimal place. */
  megabytes: (bytes: number) => string;
  /** Seconds as mm:ss. */
  duration: (seconds: number) => string;
}

/** Made when it is first used: each takes a slow phone some milliseconds, and few pages need all. */
export function onFirstUse<Format>(make: () => Format): () => Format {
  let made: Format | undefined;
  return () => (made ??= make());
}

/** @param timeZone the reader's own unless given */
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
  // No line ends before the half of the day.
  const time = (value: string): string => times().format(new Date(value)).replace(' ', '\u00a0');

  return {
    number: (value) => numbers().format(value),
    date,
    time,
    // No line begins or ends with the dot.
    dateTime: (value) => `${date(value)}\u00a0·\u00a0${time(value)}`,
    megabytes: (bytes) => megabytes().format(Math.max(bytes / MEGABYTE, SMALLEST_MEGABYTES)),
    duration: (seconds) => {
      const whole = Math.round(seconds);
      const digits = clockDigits();
      return `${digits.format(Math.floor(whole / SECONDS_IN_MINUTE))}:${digits.format(whole % SECONDS_IN_MINUTE)}`;
    },
  };
}
