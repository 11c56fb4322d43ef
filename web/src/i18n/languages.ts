export const languages = {
  ar: { direction: 'rtl', locale: 'ar-EG' },
  en: { direction: 'ltr', locale: 'en-GB' },
} as const;

export type Language = keyof typeof languages;

export const otherLanguage = (language: Language): Language => (language === 'ar' ? 'en' : 'ar');

/** Chosen by the server from the cookie. */
export const documentLanguage = (): Language => (document.documentElement.lang === 'en' ? 'en' : 'ar');
