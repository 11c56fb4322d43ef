/** Letters that people write one for another, or that other languages write with another code point. */
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

/** The value of a decimal digit of any script: each script's ten stand in a row that begins at a multiple of ten from its zero. */
function digitValue(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String(code - zero);
}

/**
 * A text as it is compared, without what writing leaves open: capitals, marks (harakat, accents, the hamza on its seat), tatweel,
 * taa marbuta and alef maqsura, the forms that other languages give a letter, and the script of its digits. Both what is looked
 * for and what is looked through go through it; it is never shown.
 */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{Mn}ـ]/gu, '')
    .replace(TWIN, (letter) => TWINS[letter] ?? letter)
    .replace(/\p{Nd}/gu, digitValue);
}
