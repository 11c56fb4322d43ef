/** Letters that people write one for another and that Unicode keeps apart. */
const TWINS: Record<string, string> = { ى: 'ي', ی: 'ي', ة: 'ه', ک: 'ك', ٱ: 'ا' };

/**
 * A text as it is compared: without capitals, marks (harakat, accents, the hamza on its seat) and tatweel, with one form
 * for each letter. Both what is stored and what is looked for go through it.
 */
export function searchableText(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{Mn}ـ]/gu, '')
    .replace(/[ىیةکٱ]/g, (letter) => TWINS[letter] ?? letter)
    .replace(/\s+/g, ' ')
    .trim();
}
