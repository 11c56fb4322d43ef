import { device } from '../lib/storage.js';

export const languages = {
  ar: { direction: 'rtl', locale: 'ar-EG' },
  en: { direction: 'ltr', locale: 'en-GB' },
} as const;

export type Language = keyof typeof languages;

export const otherLanguage = (language: Language): Language => (language === 'ar' ? 'en' : 'ar');

/** The language of the document, which the server chose by the cookie. */
export const documentLanguage = (): Language => (document.documentElement.lang === 'en' ? 'en' : 'ar');

const YEAR_SECONDS = 31_536_000;

/** Remembers the choice here, and in a cookie for the server, which sends each page in the language of its reader. */
export function storeLanguage(language: Language): void {
  device.write('language', language);
  try {
    document.cookie = `language=${language}; Path=/; Max-Age=${String(YEAR_SECONDS)}; SameSite=Lax`;
  } catch {
    // Where site data are blocked, the language lasts for this visit.
  }
}
