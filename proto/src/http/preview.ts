import { splitCharacters } from './text.js';

/** Truncated between words, or between characters where no word ends in the second half. */
export function preview(text: string, limit: number): string {
  let count = 0;
  for (const { index } of splitCharacters(text)) {
    if (count === limit) {
      const space = text.slice(0, index + 1).search(/\s\S*$/u);
      return `${text.slice(0, space > index / 2 ? space : index).trimEnd()}…`;
    }
    count += 1;
  }
  return text;
}
