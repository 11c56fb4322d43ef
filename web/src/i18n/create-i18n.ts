import { createInstance, type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { languages, type Language } from './languages.js';
import { ar } from './locales/ar/index.js';
import { en } from './locales/en/index.js';

const localeOf = (language: string | undefined) => languages[language === 'en' ? 'en' : 'ar'].locale;

/** Creates the translations with both languages loaded, so that switching needs no request. */
export function createI18n(language: Language): i18n {
  const instance = createInstance();
  void instance.use(initReactI18next).init({
    lng: language,
    fallbackLng: false,
    supportedLngs: Object.keys(languages),
    resources: { ar: { translation: ar }, en: { translation: en } },
    initAsync: false,
    interpolation: { escapeValue: false },
  });
  instance.services.formatter?.addCached('digits', (lng) => {
    const numbers = new Intl.NumberFormat(localeOf(lng));
    return (value: number) => numbers.format(value);
  });
  // Years and ids have no digit grouping.
  for (const name of ['year', 'serial']) {
    instance.services.formatter?.addCached(name, (lng) => {
      const ungrouped = new Intl.NumberFormat(localeOf(lng), { useGrouping: false });
      return (value: number) => ungrouped.format(value);
    });
  }
  return instance;
}
