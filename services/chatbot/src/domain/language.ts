export type Language = 'ar' | 'en';

const ARABIC_LETTERS = /\p{Script=Arabic}/gu;
const LATIN_LETTERS = /\p{Script=Latin}/gu;

/**
 * Detects the language of a text by its letters; `fallback` where it has none. Questions in Arabic often contain names
 * in Latin letters, so one third of Arabic letters is enough.
 */
export function languageOf(text: string, fallback: Language): Language {
  const arabic = text.match(ARABIC_LETTERS)?.length ?? 0;
  const latin = text.match(LATIN_LETTERS)?.length ?? 0;
  if (arabic + latin === 0) return fallback;
  return arabic * 2 >= latin ? 'ar' : 'en';
}
