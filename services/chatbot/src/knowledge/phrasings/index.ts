import { ARABIC_PHRASINGS } from './arabic.js';
import { ENGLISH_PHRASINGS } from './english.js';

const split = (line: string | undefined): string[] => line?.split(' | ') ?? [];

/** Every further way of asking for an entry, in both languages. */
export const phrasingsOf = (entryId: string): string[] => [
  ...split(ARABIC_PHRASINGS[entryId]),
  ...split(ENGLISH_PHRASINGS[entryId]),
];

export const PHRASED_ENTRY_IDS: readonly string[] = [
  ...new Set([...Object.keys(ARABIC_PHRASINGS), ...Object.keys(ENGLISH_PHRASINGS)]),
];
