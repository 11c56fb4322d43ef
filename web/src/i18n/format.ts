import { languages, type Language } from './languages.js';

export interface Formats {
  /** A number in the digits of the language. */
  number: (value: number) => string;
  /** d MMMM yyyy */
  date: (value: string) => string;
  /** The time alone, by a 12-hour clock. */
  time: (value: string) => string;
  /** d MMMM yyyy, then the time by a 12-hour clock. */
  dateTime: (value: string) => string;
}

export function createFormats(language: Language): Formats {
  const { locale } = languages[language];
  const numbers = new Intl.NumberFormat(locale);
  const dates = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', year: 'numeric' });
  const times = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit', hour12: true });

  return {
    number: (value) => numbers.format(value),
    date: (value) => dates.format(new Date(value)),
    time: (value) => times.format(new Date(value)),
    dateTime: (value) => `${dates.format(new Date(value))} · ${times.format(new Date(value))}`,
  };
}
