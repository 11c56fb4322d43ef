import { type Language, languages, useFormats, useLanguage, useNow, useTimes } from '../../i18n/index.js';

const DAY = 86_400_000;

/** Cached: a long list would create one per message. */
const FORMATS = new Map<Language, { day: Intl.DateTimeFormat; month: Intl.DateTimeFormat }>();

function formatsOf(language: Language) {
  const known = FORMATS.get(language);
  if (known !== undefined) return known;
  const { locale } = languages[language];
  const made = {
    day: new Intl.DateTimeFormat(locale, { day: 'numeric', month: language === 'ar' ? 'long' : 'short' }),
    month: new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric' }),
  };
  FORMATS.set(language, made);
  return made;
}

/** Short: months have headings, which name the year. */
export function useShortTime(): (value: string) => string {
  const { language } = useLanguage();
  const { relative } = useTimes();
  const { time } = useFormats();
  const now = useNow();
  return (value) => {
    const date = new Date(value);
    if (now - date.getTime() < DAY) return relative(value);
    return `${formatsOf(language).day.format(date)}\u00a0·\u00a0${time(value)}`;
  };
}

export const monthOf = (value: string): number => {
  const date = new Date(value);
  return date.getFullYear() * 12 + date.getMonth();
};

export function useMonthName(): (value: string) => string {
  const { language } = useLanguage();
  return (value) => formatsOf(language).month.format(new Date(value));
}
