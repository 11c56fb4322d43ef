import { foldText } from '@najwa/common';

/** A text as it is compared: folded, its words one space apart. Both what is stored and what is looked for go through it. */
export function searchableText(text: string): string {
  return foldText(text).replace(/\s+/g, ' ').trim();
}
