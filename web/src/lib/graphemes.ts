const segmenter = () => new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * Characters as a person sees them. Counting stops soon after the limit, so that pasting a book does not freeze the page.
 */
export function countGraphemes(text: string, limit: number): number {
  const ceiling = limit * 2;
  let count = 0;
  for (const _ of segmenter().segment(text)) {
    count += 1;
    if (count === ceiling) break;
  }
  return count;
}

/** What will be sent: the server keeps text trimmed and composed, so the page counts it that way. */
export const tidy = (text: string) => text.normalize('NFC').trim();

/** The first letter of a name, whole even where it takes several code points. */
export function firstLetter(name: string): string {
  for (const { segment } of segmenter().segment(name.trim())) return segment;
  return '';
}

/** The beginning of a text for a list, cut between characters, with an ellipsis where there is more. */
export function preview(text: string, limit: number): string {
  let count = 0;
  for (const { index } of segmenter().segment(text)) {
    if (count === limit) return `${text.slice(0, index).trimEnd()}…`;
    count += 1;
  }
  return text;
}
