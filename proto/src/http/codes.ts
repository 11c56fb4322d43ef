/** Arabic, Persian and full-width digits. */
export const withPlainDigits = (text: string): string =>
  text.replace(/[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/g, (digit) => String(digit.charCodeAt(0) & 0xf));

/** Normalised: without spaces, hyphens and invisible characters. */
export const readCode = (typed: string): string =>
  withPlainDigits(typed)
    .replace(/[\s\p{Dash}\p{Default_Ignorable_Code_Point}]/gu, '')
    .toLowerCase();
