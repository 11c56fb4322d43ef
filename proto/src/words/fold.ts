import twins from './data/twins.json' with { type: 'json' };

const TWINS = new Map(Object.entries(twins));
const TWIN = new RegExp(`[${[...TWINS.keys()].join('')}]`, 'gu');

/** Marks (harakat, accents, hamza on a letter), tatweel, and characters that nobody sees. */
const UNSEEN = /[\p{Mn}\p{Default_Ignorable_Code_Point}\u0640]/gu;

/** Value of a decimal digit in any script. The ten digits of a script are contiguous in Unicode. */
function digitValue(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String(code - zero);
}

/**
 * Folds a text for finding words in it: case, compatibility forms, marks, tatweel, forms of alef, ya and ta marbuta,
 * zero-width characters, letters of other scripts that look alike, and digits of any script. Not for display.
 * @param max of characters, after what nobody sees is gone. The rest is cut off.
 */
export function foldWords(text: string, max = Infinity): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(UNSEEN, '')
    .slice(0, max)
    .replace(TWIN, (letter) => TWINS.get(letter) ?? letter)
    .replace(/(?![0-9])\p{Nd}/gu, digitValue);
}
