import { splitCharacters } from './text.js';

/** The beginning of a text, cut between characters, with an ellipsis if it was cut. */
export function preview(text: string, limit: number): string {
  let count = 0;
  for (const { index } of splitCharacters(text)) {
    if (count === limit) return `${text.slice(0, index).trimEnd()}…`;
    count += 1;
  }
  return text;
}
