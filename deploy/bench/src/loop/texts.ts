/** Characters that cost more than plain letters wherever a text is normalised, counted, folded, matched or escaped. */
export const UNITS: Readonly<Record<string, readonly string[]>> = {
  letters: ['م'],
  words: [...'ابتثجحخدذرزسشصضطظعغفقكلمنهوي'].flatMap((letter) => [letter, ' ']),
  // Eighteen letters once it is folded.
  ligature: ['ﷺ'],
  brackets: ['⒜', '⒝', '⒞'],
  // Sixteen code units, the most that a character may have, and out of their order.
  marks: [`ب${'\u064f\u0651\u0650'.repeat(5)}`],
  emoji: ['👩🏽‍❤️‍💋‍👨🏿'],
  flags: ['🇸🇦', '🇪🇬'],
  markup: ['<', '&', '"'],
  lines: ['م', '\n', '\n'],
  capitals: ['İ'],
};

/** A text of so many characters. */
export function textOf(unit: string, characters: number): string {
  const parts = UNITS[unit] ?? [];
  const text = Array.from({ length: characters }, (_, index) => parts[index % parts.length]).join('');
  // White space at the end would be removed, and make it another text.
  return text.replace(/\s$/, 'م');
}

const SEARCH_WORDS = 8;

/** As many and as long words as a search may have. */
export function searchOf(unit: string, characters: number): string {
  const length = Math.floor(characters / SEARCH_WORDS) - 1;
  const word = textOf(unit, length).replace(/\s/g, 'م');
  return Array.from({ length: SEARCH_WORDS }, (_, index) => [...word.slice(0, -1), index].join('')).join(' ');
}
