/** The localStorage key. before-paint.js reads it. */
const STORAGE_KEY = 'language';

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
export function storeLanguage(storage: () => Storage, language: Language): void {
  try {
    document.cookie = `${STORAGE_KEY}=${language}; Path=/; Max-Age=${String(YEAR_SECONDS)}; SameSite=Lax`;
    storage().setItem(STORAGE_KEY, language);
  } catch {
    // Without storage the language lasts for this visit.
  }
}
