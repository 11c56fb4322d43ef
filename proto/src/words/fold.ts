import twins from './data/twins.json' with { type: 'json' };

const TWINS = new Map(Object.entries(twins));
const TWIN = new RegExp(`[${[...TWINS.keys()].join('')}]`, 'gu');

/** Marks (harakat, accents, hamza), tatweel, invisible characters. */
const UNSEEN = /[\p{Mn}\p{Default_Ignorable_Code_Point}\u0640]/gu;

/** Ya with a hamza before waw, in place of which others write waw with one: «شئون» is «شؤون». */
const SEAT = /\u064a\p{Mn}*\u0654\p{Mn}*(?=\u0648)/gu;

/** The ten digits of a script are contiguous in Unicode. */
function digitValue(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String(code - zero);
}

/**
 * For matching words, not for display: folds case, compatibility forms, marks, tatweel, alef, ya, hamza, ta marbuta,
 * zero-width characters, look-alike letters and digits.
 * @param max in visible characters
 */
export function foldWords(text: string, max = Infinity): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(SEAT, '\u0648')
    .replace(UNSEEN, '')
    .slice(0, max)
    .replace(TWIN, (letter) => TWINS.get(letter) ?? letter)
    .replace(/(?![0-9])\p{Nd}/gu, digitValue);
}
