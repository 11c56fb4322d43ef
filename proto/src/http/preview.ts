import { splitCharacters } from './text.js';

/** Truncated between characters. */
export function preview(text: string, limit: number): string {
  let count = 0;
  for (const { index } of splitCharacters(text)) {
    if (count === limit) return `${text.slice(0, index).trimEnd()}…`;
    count += 1;
  }
  return text;
}
