import { foldWords, tokensOf, withoutPrefixes } from './tokens.js';

/** A token with repeated letters collapsed. */
interface Shape {
  /** "stuupid" → "stupid". */
  skeleton: string;
  runs: number[];
}

/** Folded and tokenised once for any number of matchers. */
export interface PreparedText {
  /** As written, digits read as letters, without an Arabic prefix. */
  tokens: Shape[][];
  /** "s t u p i d". */
  spelled: Shape[];
}

export interface WordMatcher {
  /** @returns the word as it was given */
  find(text: PreparedText): string | undefined;
}

/** A trie by token: otherwise each phrase would be compared with every token. */
interface Branch {
  shape: Shape;
  /** Ends here. */
  word: string | undefined;
  next: Branches;
}

/** By skeleton. */
type Branches = Map<string, Branch[]>;

/** Without spaces. */
interface Joined {
  word: string;
  shape: Shape;
}

function grow(branches: Branches, [first, ...rest]: readonly Shape[], word: string): void {
  if (first === undefined) return;
  const branchesOfFirst = listIn(branches, first.skeleton);
  let branch = branchesOfFirst.find(({ shape: { runs } }) => runs.join() === first.runs.join());
  if (branch === undefined) branchesOfFirst.push((branch = { shape: first, word: undefined, next: new Map() }));
  if (rest.length === 0) branch.word ??= word;
  else grow(branch.next, rest, word);
}

function listIn<Item>(lists: Map<string, Item[]>, key: string): Item[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

/** From this length, a doubled letter rarely makes another word. */
const LONG_SKELETON = 5;

/** No word has such a run. */
const EXAGGERATED_RUN = 3;

const MIN_SPELLED = 3;

/** Shorter joined phrases would match within other words. */
const MIN_JOINED = 5;

const LETTER_OF: Record<string, string> = {
  '0': 'o',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '@': 'a',
  $: 's',
};

const readAs = (chunk: string, stroke: 'i' | 'l'): string =>
  chunk.replace(/[034578@$]/g, (sign) => LETTER_OF[sign] ?? sign).replace(/[1!|]/g, stroke);

function shapeOf(token: string): Shape {
  let skeleton = '';
  const runs: number[] = [];
  let last = '';
  for (const letter of token) {
    if (letter === last) {
      runs.push((runs.pop() ?? 0) + 1);
    } else {
      skeleton += letter;
      runs.push(1);
      last = letter;
    }
  }
  return { skeleton, runs };
}

/** "stuuupid" matches "stupid", "good" does not match "god". */
function isSpelling(text: Shape, word: Shape): boolean {
  if (text.skeleton !== word.skeleton) return false;
  const isLong = word.skeleton.length >= LONG_SKELETON;
  return word.runs.every((wanted, index) => {
    const given = text.runs[index] ?? 0;
    return given === wanted || (given > wanted && (isLong || given >= EXAGGERATED_RUN));
  });
}

/** Folding lengthens some characters. Longer texts are unreadable anyway. */
const MAX_FOLDED_LENGTH = 4_000;

/** Bounds spelled-out letters, each of which costs as much as a word. */
const MAX_SPELLED = 350;

const NOTHING: Omit<Branch, 'shape'> = { word: undefined, next: new Map() };

/** Ligatures of eighteen and eight letters. */
const PHRASES = /[\ufdfa\ufdfb]/g;

const PIECE = /\S+/g;
const SIGNED_CHUNK = /[\p{L}\p{N}@$!|]+/gu;
const HAS_SIGN = /[0-9@$!|]/;
const HAS_LETTER = /\p{L}/u;

/** "a55h0le", "st@pid". */
function signedReadings(piece: string): string[] {
  if (!HAS_SIGN.test(piece)) return [];
  return (piece.match(SIGNED_CHUNK) ?? []).flatMap((chunk) => {
    const inner = chunk.replace(/^[!|]+|[!|]+$/g, '');
    if (!HAS_SIGN.test(inner) || !HAS_LETTER.test(inner)) return [];
    return /[1!|]/.test(inner) ? [readAs(inner, 'i'), readAs(inner, 'l')] : [readAs(inner, 'i')];
  });
}

export function prepareText(text: string): PreparedText {
  const tokens: Shape[][] = [];
  const spelled: Shape[] = [];
  let letters = '';
  let room = MAX_SPELLED;
  const endSpelling = (): void => {
    const looked = letters.slice(0, room);
    room -= looked.length;
    if (looked.length >= MIN_SPELLED) spelled.push(shapeOf(looked));
    letters = '';
  };
  const folded = foldWords(text.replace(PHRASES, ' '), MAX_FOLDED_LENGTH);
  for (const piece of folded.match(PIECE) ?? []) {
    const found = tokensOf(piece);
    found.forEach((token, index) => {
      if (token.length === 1 && HAS_LETTER.test(token)) letters += token;
      else endSpelling();
      const readings = [token, ...withoutPrefixes(token)];
      // "stu-pid" counts once, where it begins.
      if (index === 0) readings.push(...signedReadings(piece), ...(found.length > 1 ? [found.join('')] : []));
      tokens.push(readings.map(shapeOf));
    });
  }
  endSpelling();
  return { tokens, spelled };
}

/** Texts omit the same. */
const tokensOfWord = (word: string): string[] => tokensOf(foldWords(word.replace(PHRASES, ' ')));

/** Rolling hash. */
const hashWith = (hash: number, code: number): number => (Math.imul(hash, 31) + code) | 0;

function hashOf(text: string): number {
  let hash = 0;
  for (let index = 0; index < text.length; index += 1) hash = hashWith(hash, text.charCodeAt(index));
  return hash;
}

/**
 * Finds words and phrases on word boundaries despite folding (`foldWords`), repeated letters, digits for letters,
 * spelled-out letters and Arabic prefixes. The time depends on the text alone, so that a writer cannot measure the
 * words: a search never ends early, and treats all tokens alike.
 */
export function createWordMatcher(words: readonly string[]): WordMatcher {
  const beginnings: Branches = new Map();
  const joined = new Map<string, Joined[]>();
  /** Cheaper than cutting each substring out of the text. */
  const hashes = new Set<number>();
  let longest = 0;
  for (const word of words) {
    const tokens = tokensOfWord(word);
    if (tokens.length === 0) continue;
    grow(beginnings, tokens.map(shapeOf), word);
    const together = tokens.join('');
    if (tokens.length > 1 && together.length < MIN_JOINED) continue;
    const shape = shapeOf(together);
    longest = Math.max(longest, shape.skeleton.length);
    listIn(joined, shape.skeleton).push({ word, shape });
    hashes.add(hashOf(shape.skeleton));
    if (tokens.length > 1) grow(beginnings, [shape], word);
  }

  const goesOn = (branches: Branches, tokens: Shape[][], at: number): string | undefined => {
    // Two readings may lead to one branch.
    const reached = new Set<Branch>();
    for (const reading of tokens[at] ?? [])
      for (const branch of branches.get(reading.skeleton) ?? [{ ...NOTHING, shape: reading }])
        if (isSpelling(reading, branch.shape)) reached.add(branch);
    let found: string | undefined;
    for (const { word, next } of reached) {
      found ??= word;
      const longer = next.size > 0 ? goesOn(next, tokens, at + 1) : undefined;
      found ??= longer;
    }
    return found;
  };

  const within = ({ skeleton, runs }: Shape): string | undefined => {
    let first: string | undefined;
    for (let from = 0; from <= skeleton.length - MIN_SPELLED; from += 1) {
      const last = Math.min(skeleton.length, from + longest);
      let hash = hashOf(skeleton.slice(from, from + MIN_SPELLED - 1));
      for (let to = from + MIN_SPELLED; to <= last; to += 1) {
        hash = hashWith(hash, skeleton.charCodeAt(to - 1));
        if (!hashes.has(hash)) continue;
        const entries = joined.get(skeleton.slice(from, to));
        const part = entries && { skeleton: skeleton.slice(from, to), runs: runs.slice(from, to) };
        const found = part && entries.find(({ shape }) => isSpelling(part, shape));
        first ??= found?.word;
      }
    }
    return first;
  };

  return {
    find({ tokens, spelled }) {
      const found = [...tokens.keys()].map((at) => goesOn(beginnings, tokens, at));
      return [...found, ...spelled.map(within)].find((word) => word !== undefined);
    },
  };
}
