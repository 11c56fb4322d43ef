import { foldWords, tokensOf, withoutSearchedPrefixes } from './tokens.js';

/** Truncates indexed and searched words alike. */
const MAX_WORD = 32;

const cut = (word: string): string => (word.length <= MAX_WORD ? word : Array.from(word).slice(0, MAX_WORD).join(''));

/** Without skin tones and joiners. */
const EMOJI = /\p{Regional_Indicator}{2}|\p{Extended_Pictographic}/gu;

const emojisOf = (folded: string): string[] => folded.match(EMOJI) ?? [];

const APOSTROPHE = /(\p{L})['\u2019](?=\p{L})/gu;

/** "Don't" as "dont". */
const joined = (folded: string): string => folded.replace(APOSTROPHE, '$1');

/** Names that are written as one word or as two: «عبدالرحمن». */
const NAME = /^(عبد)(ال..+)$/;

const readingsOf = (token: string): string[] => {
  const readings = [token, ...withoutSearchedPrefixes(token)];
  const parts = readings.flatMap((reading) => NAME.exec(reading)?.slice(1) ?? []);
  return [...new Set([...readings, ...parts.flatMap((part) => [part, ...withoutSearchedPrefixes(part)])])].map(cut);
};

/** Folded and unique, Arabic with and without prefixes, and emojis. */
export function indexedWords(text: string): string[] {
  const folded = foldWords(text);
  const tokens = tokensOf(folded).concat(tokensOf(joined(folded)));
  return [...new Set([...new Set(tokens)].flatMap((token) => readingsOf(token)).concat(emojisOf(folded)))];
}

/** A text matches if each word is a prefix of one of its indexed words. Drops words that are prefixes of others. */
export function searchedWords(query: string): string[] {
  const folded = foldWords(query);
  const tokens = tokensOf(joined(folded)).flatMap((token) => NAME.exec(token)?.slice(1) ?? token);
  const words = [...new Set([...tokens.map(cut), ...emojisOf(folded)])];
  return words.filter((word) => !words.some((other) => other !== word && other.startsWith(word)));
}

/** As written, with tones, joiners and marks. */
const WRITTEN =
  /\p{Regional_Indicator}{2}|\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\ufe0f|\u200d\p{Extended_Pictographic})*|[\p{L}\p{N}\p{M}\u0640\p{Default_Ignorable_Code_Point}]+(?:['\u2019][\p{L}\p{M}]+)*/gu;

/** Splits a text into found words and the rest. */
export function markFound(text: string, searched: readonly string[]): { text: string; isFound: boolean }[] {
  const parts: { text: string; isFound: boolean }[] = [];
  let end = 0;
  for (const { 0: written, index } of text.matchAll(WRITTEN)) {
    if (!indexedWords(written).some((word) => searched.some((start) => word.startsWith(start)))) continue;
    if (index > end) parts.push({ text: text.slice(end, index), isFound: false });
    end = index + written.length;
    parts.push({ text: written, isFound: true });
  }
  if (end < text.length) parts.push({ text: text.slice(end), isFound: false });
  return parts;
}
