import { foldText } from '@najwa/common';

/** A question as its words are compared: folded, without apostrophes, and without letters repeated for emphasis. */
const foldQuestion = (text: string): string =>
  foldText(text)
    .replace(/['’]/g, '')
    .replace(/(\p{L})\1{2,}/gu, '$1');

const ARABIC = /^\p{Script=Arabic}+$/u;

/** What is written onto an Arabic word before it: particles, the article, and the signs of person and time of the spoken languages. */
const ARABIC_PREFIXES = [
  ...['و', 'ف', 'ب', 'ل', 'ك', 'ال', 'وال', 'فال', 'بال', 'كال', 'هال', 'عال', 'لل', 'ولل', 'وب', 'ول'],
  ...[
    'ي',
    'ت',
    'ن',
    'ا',
    'وي',
    'وت',
    'ون',
    'وا',
    'لي',
    'لت',
    'لن',
    'لا',
    'سي',
    'ست',
    'سن',
    'سا',
    'م',
    'مت',
    'ان',
    'ات',
    'يت',
    'تت',
    'نت',
    'تن',
    'ين',
  ],
  ...[
    'بي',
    'بت',
    'بن',
    'با',
    'بيت',
    'بتت',
    'هي',
    'هت',
    'هن',
    'ها',
    'هيت',
    'حي',
    'حت',
    'حن',
    'ح',
    'كي',
    'كت',
    'كن',
    'كان',
    'غي',
    'غت',
    'غن',
    'عم',
    'ما',
    'مابي',
    'بين',
    'بتن',
    'هين',
  ],
];
/** What is written onto it after it: owners, objects, persons, numbers, and the spoken languages' "not" and "to me". */
const ARABIC_SUFFIXES = [
  ...[
    'ه',
    'ها',
    'هم',
    'هن',
    'ك',
    'كم',
    'كن',
    'كي',
    'كو',
    'ي',
    'ني',
    'نا',
    'وا',
    'و',
    'ون',
    'ين',
    'ان',
    'ات',
    'ه',
    'يه',
    'اتي',
    'اتك',
    'اته',
    'اتها',
    'اتهم',
    'اتنا',
    'يات',
    'يين',
  ],
  ...[
    'ت',
    'تي',
    'تك',
    'ته',
    'تها',
    'تهم',
    'تكم',
    'تنا',
    'تو',
    'توا',
    'تم',
    'تني',
    'وني',
    'وه',
    'وها',
    'وك',
    'نه',
    'نها',
    'ينه',
    'ونه',
    'تيه',
    'تيها',
  ],
  ...[
    'لي',
    'لك',
    'له',
    'لها',
    'لهم',
    'لكم',
    'لنا',
    'لو',
    'ولي',
    'ولك',
    'هولي',
    'هالي',
    'تلي',
    'تلك',
    'تله',
    'تلها',
    'تلو',
    'ش',
    'هاش',
    'وش',
    'تش',
    'نيش',
    'ليش',
    'هوش',
    'ا',
  ],
];
const ENGLISH_SUFFIXES = ['ings', 'ing', 'ers', 'er', 'ies', 'es', 'ed', 's', 'd', 'ly', 'r', 'able'];
const MIN_STEM = 3;
/** Two letters are a word of their own only where hardly anything was written onto them. */
const MIN_SHORT_STEM = 2;
const MAX_ONTO_SHORT_STEM = 2;

function arabicForms(word: string): string[] {
  const forms: string[] = [];
  for (const prefix of ['', ...ARABIC_PREFIXES]) {
    if (!word.startsWith(prefix)) continue;
    for (const suffix of ['', ...ARABIC_SUFFIXES]) {
      const length = word.length - prefix.length - suffix.length;
      if (
        !word.endsWith(suffix) ||
        length < (prefix.length + suffix.length <= MAX_ONTO_SHORT_STEM ? MIN_SHORT_STEM : MIN_STEM)
      )
        continue;
      const form = word.slice(prefix.length, prefix.length + length);
      forms.push(form);
      // The taa marbuta of "رسالة" is a taa in "رسالتي".
      if (suffix.startsWith('ت')) forms.push(`${form}ه`);
    }
  }
  return forms;
}

function englishForms(word: string): string[] {
  const forms = [word];
  for (const suffix of ENGLISH_SUFFIXES) {
    const form = word.slice(0, -suffix.length);
    if (!word.endsWith(suffix) || form.length < MIN_STEM) continue;
    forms.push(form, `${form}e`, `${form}y`);
    if (form.at(-1) === form.at(-2)) forms.push(form.slice(0, -1));
  }
  return forms;
}

/** What a word may be without what is written onto it, the least changed first. */
export function formsOf(word: string): string[] {
  const forms = ARABIC.test(word) ? arabicForms(word) : englishForms(word);
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

const LIGHT_PREFIXES = ['وبال', 'وال', 'بال', 'كال', 'فال', 'هال', 'عال', 'لل', 'ال', 'و', 'ب', 'ل', 'ف'];
const LIGHT_SUFFIXES = [
  'هما',
  'تكم',
  'تها',
  'كم',
  'هم',
  'ها',
  'نا',
  'ات',
  'وا',
  'ين',
  'ون',
  'ان',
  'تي',
  'تك',
  'ته',
  'ني',
  'يه',
  'ه',
  'ي',
  'ك',
];
const LIGHT_ENGLISH_SUFFIXES = ['ings', 'ing', 'ies', 'es', 'ed', 's'];

function stripOne(word: string, affixes: string[], at: 'start' | 'end'): string {
  const affix = affixes.find(
    (candidate) =>
      word.length - candidate.length >= MIN_STEM &&
      (at === 'start' ? word.startsWith(candidate) : word.endsWith(candidate)),
  );
  if (affix === undefined) return word;
  return at === 'start' ? word.slice(affix.length) : word.slice(0, -affix.length);
}

/** A light stem: the article, particles and endings go, the pattern of the word stays. */
export function stem(word: string): string {
  if (ARABIC.test(word)) return stripOne(stripOne(word, LIGHT_PREFIXES, 'start'), LIGHT_SUFFIXES, 'end');
  return stripOne(word, LIGHT_ENGLISH_SUFFIXES, 'end');
}

/** The words of a text, folded. */
export function wordsOf(text: string): string[] {
  return foldQuestion(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}
