/** Letters that people write one for another, or that other languages write with another code point. */
const TWINS: Record<string, string> = { ى: 'ي', ی: 'ي', ې: 'ي', ة: 'ه', ک: 'ك', گ: 'ك', ٱ: 'ا', چ: 'ج', پ: 'ب', ڤ: 'ف' };

const DIGIT = /\p{Nd}/gu;

/** The value of a decimal digit of any script: each script's ten stand in a row that begins at a multiple of ten from its zero. */
function digitValue(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String(code - zero);
}

/**
 * A text without what writing leaves open: capitals, harakat, tatweel, the hamza on its seat, taa marbuta and alef maqsura,
 * Arabic-Indic digits, and letters repeated for emphasis.
 */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{Mn}ـ'’]/gu, '')
    .replace(/[ىیېةکگٱچپڤ]/g, (letter) => TWINS[letter] ?? letter)
    .replace(DIGIT, digitValue)
    .replace(/(\p{L})\1{2,}/gu, '$1');
}

const ARABIC = /^\p{Script=Arabic}+$/u;
const ARABIC_PREFIXES = ['وبال', 'وال', 'بال', 'كال', 'فال', 'هال', 'عال', 'لل', 'ال', 'و', 'ب', 'ل', 'ف'];
const ARABIC_SUFFIXES = ['هما', 'تكم', 'تها', 'كم', 'هم', 'ها', 'نا', 'ات', 'وا', 'ين', 'ون', 'ان', 'تي', 'تك', 'ته', 'ني', 'يه', 'ه', 'ي', 'ك'];
const ENGLISH_SUFFIXES = ['ings', 'ing', 'ies', 'es', 'ed', 's'];
const MIN_STEM = 3;

function stripOne(word: string, affixes: string[], at: 'start' | 'end'): string {
  const affix = affixes.find((candidate) => word.length - candidate.length >= MIN_STEM && (at === 'start' ? word.startsWith(candidate) : word.endsWith(candidate)));
  if (affix === undefined) return word;
  return at === 'start' ? word.slice(affix.length) : word.slice(0, -affix.length);
}

/** A light stem: the article, particles and endings go, the pattern of the word stays. */
export function stem(word: string): string {
  if (ARABIC.test(word)) return stripOne(stripOne(word, ARABIC_PREFIXES, 'start'), ARABIC_SUFFIXES, 'end');
  return stripOne(word, ENGLISH_SUFFIXES, 'end');
}

/** The words of a text, folded. */
export function wordsOf(text: string): string[] {
  return foldText(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}
