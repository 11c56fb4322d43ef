import { languages, useLanguage } from '../../i18n/index.js';

export function useDay(): (value: string) => string {
  const { language } = useLanguage();
  const days = new Intl.DateTimeFormat(languages[language].locale, { day: 'numeric', month: 'long' });
  return (value) => days.format(new Date(value));
}
