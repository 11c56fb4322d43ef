/** Letters that are commonly interchanged, or that other languages encode with another code point. */
const TWINS: Record<string, string> = {
  ى: 'ي',
  ی: 'ي',
  ې: 'ي',
  ة: 'ه',
  ک: 'ك',
  گ: 'ك',
  ٱ: 'ا',
  چ: 'ج',
  پ: 'ب',
  ڤ: 'ف',
};

const TWIN = new RegExp(`[${Object.keys(TWINS).join('')}]`, 'g');

/** Value of a decimal digit in any script. The ten digits of a script are contiguous in Unicode. */
function digitValue(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String(code - zero);
}

/**
 * Normalises text for comparison: folds case, marks (harakat, accents, hamza), tatweel, taa marbuta, alef maqsura,
 * letter variants of other languages, and digits of any script. Apply it to both the query and the searched text. The
 * result is not for display.
 */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{Mn}ـ]/gu, '')
    .replace(TWIN, (letter) => TWINS[letter] ?? letter)
    .replace(/\p{Nd}/gu, digitValue);
}
