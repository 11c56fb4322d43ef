import { foldWords } from '@najwa/proto/words';
import { stemmer as stemArabic } from '@orama/stemmers/arabic';
import { stemmer as stemEnglish } from '@orama/stemmers/english';
import affixes from '../knowledge/data/affixes.json' with { type: 'json' };

/** Folds letters, drops apostrophes, collapses letters repeated for emphasis. */
const foldQuestion = (text: string): string =>
  foldWords(text)
    .replace(/['’]/g, '')
    .replace(/(\p{L})\1{2,}/gu, '$1');

const ARABIC = /^\p{Script=Arabic}+$/u;

const MIN_STEM = 3;
/** Two-letter stems need short affixes: long ones strip unrelated words to the same stem. */
const MIN_SHORT_STEM = 2;
const MAX_AFFIXES_OF_SHORT_STEM = 2;

function arabicForms(word: string): string[] {
  const forms: string[] = [];
  for (const prefix of ['', ...affixes.arabic.prefixes]) {
    if (!word.startsWith(prefix)) continue;
    for (const suffix of ['', ...affixes.arabic.suffixes]) {
      const length = word.length - prefix.length - suffix.length;
      if (
        !word.endsWith(suffix) ||
        length < (prefix.length + suffix.length <= MAX_AFFIXES_OF_SHORT_STEM ? MIN_SHORT_STEM : MIN_STEM)
      )
        continue;
      const form = word.slice(prefix.length, prefix.length + length);
      forms.push(form);
      // Taa marbuta becomes taa before a suffix: رسالة → رسالتي. Folded text has ه for it.
      if (suffix.startsWith('ت')) forms.push(`${form}ه`);
    }
  }
  return forms;
}

function englishForms(word: string): string[] {
  const forms = [word];
  for (const suffix of affixes.english.suffixes) {
    const form = word.slice(0, -suffix.length);
    if (!word.endsWith(suffix) || form.length < MIN_STEM) continue;
    forms.push(form, `${form}e`, `${form}y`);
    if (form.at(-1) === form.at(-2)) forms.push(form.slice(0, -1));
  }
  return forms;
}

/** Candidate base forms, longest first. */
export function formsOf(word: string): string[] {
  const forms = ARABIC.test(word) ? arabicForms(word) : englishForms(word);
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

export const stem = (word: string): string => (ARABIC.test(word) ? stemArabic(word) : stemEnglish(word));

export function wordsOf(text: string): string[] {
  return foldQuestion(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}
