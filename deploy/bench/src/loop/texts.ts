/** Expensive to normalise, count, fold, match or escape. */
export const UNITS: Readonly<Record<string, readonly string[]>> = {
  letters: ['م'],
  words: [...'ابتثجحخدذرزسشصضطظعغفقكلمنهوي'].flatMap((letter) => [letter, ' ']),
  // Eighteen letters once folded.
  ligature: ['ﷺ'],
  brackets: ['⒜', '⒝', '⒞'],
  // Sixteen code units, the maximum of a character, out of order.
  marks: [`ب${'\u064f\u0651\u0650'.repeat(5)}`],
  emoji: ['👩🏽‍❤️‍💋‍👨🏿'],
  flags: ['🇸🇦', '🇪🇬'],
  markup: ['<', '&', '"'],
  lines: ['م', '\n', '\n'],
  capitals: ['İ'],
};

export function textOf(unit: string, characters: number): string {
  const parts = UNITS[unit] ?? [];
  const text = Array.from({ length: characters }, (_, index) => parts[index % parts.length]).join('');
  // Trailing white space would be removed.
  return text.replace(/\s$/, 'م');
}

const SEARCH_WORDS = 8;

/** The maximum number and length of words. */
export function searchOf(unit: string, characters: number): string {
  const length = Math.floor(characters / SEARCH_WORDS) - 1;
  const word = textOf(unit, length).replace(/\s/g, 'م');
  return Array.from({ length: SEARCH_WORDS }, (_, index) => [...word.slice(0, -1), index].join('')).join(' ');
}
