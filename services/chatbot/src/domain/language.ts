export type Language = 'ar' | 'en';

const ARABIC_LETTERS = /\p{Script=Arabic}/gu;
const LATIN_LETTERS = /\p{Script=Latin}/gu;

/** The language of a text by its letters, where it has any. A question in Arabic often names things in Latin letters, so that one in three decides. */
export function languageOf(text: string, otherwise: Language): Language {
  const arabic = text.match(ARABIC_LETTERS)?.length ?? 0;
  const latin = text.match(LATIN_LETTERS)?.length ?? 0;
  if (arabic + latin === 0) return otherwise;
  return arabic * 2 >= latin ? 'ar' : 'en';
}
