export type Language = 'ar' | 'en';

const ARABIC_LETTERS = /\p{Script=Arabic}/gu;
const LATIN_LETTERS = /\p{Script=Latin}/gu;

/** By letters. Arabic wins at a third, because it often includes Latin names. */
export function languageOf(text: string, fallback: Language): Language {
  const arabic = text.match(ARABIC_LETTERS)?.length ?? 0;
  const latin = text.match(LATIN_LETTERS)?.length ?? 0;
  if (arabic + latin === 0) return fallback;
  return arabic * 2 >= latin ? 'ar' : 'en';
}
