/** The localStorage key. public/language.js reads it before the first paint. */
const STORAGE_KEY = 'language';

export const languages = {
  ar: { direction: 'rtl', locale: 'ar-EG' },
  en: { direction: 'ltr', locale: 'en-GB' },
} as const;

export type Language = keyof typeof languages;

export const otherLanguage = (language: Language): Language => (language === 'ar' ? 'en' : 'ar');

export function readLanguage(storage: () => Storage): Language {
  try {
    return storage().getItem(STORAGE_KEY) === 'en' ? 'en' : 'ar';
  } catch {
    return 'ar';
  }
}

export function storeLanguage(storage: () => Storage, language: Language): void {
  try {
    storage().setItem(STORAGE_KEY, language);
  } catch {
    // Without storage the language lasts for this visit.
  }
}
