import { splitCharacters } from './text.js';

/** Truncated between words, or between characters where no word ends in the second half. */
export function preview(text: string, limit: number): string {
  const end = [...splitCharacters(text)][limit]?.index;
  if (end === undefined) return text;
  const space = text.slice(0, end + 1).search(/\s\S*$/u);
  return `${text.slice(0, space > end / 2 ? space : end).trimEnd()}…`;
}
