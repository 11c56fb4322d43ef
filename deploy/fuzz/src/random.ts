/** Random choices that a seed repeats. */
export interface Random {
  /** An integer from 0 to below `end`. */
  below: (end: number) => number;
  /** @param items at least one */
  pick: <Item>(items: readonly Item[]) => Item;
  bytes: (length: number) => Buffer;
}

/** Mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number): number => Math.floor(next() * end);
  return {
    below,
    pick: <Item>(items: readonly Item[]) => items[below(items.length)] as Item,
    bytes: (length) => Buffer.from(Array.from({ length }, () => below(256))),
  };
}

type Mutation = (content: Buffer, random: Random) => Buffer;

const MUTATIONS: readonly Mutation[] = [
  (content) => content,
  (content, { below }) => content.subarray(0, below(content.length + 1)),
  (content, { below }) => content.subarray(below(content.length + 1)),
  (content, { below }) => {
    const changed = Buffer.from(content);
    for (let count = 1 + below(40); count > 0 && changed.length > 0; count -= 1) {
      const at = below(changed.length);
      changed[at] = (changed[at] ?? 0) ^ (1 << below(8));
    }
    return changed;
  },
  // Most of what a decoder believes is in the first bytes.
  (content, { below }) => {
    const changed = Buffer.from(content);
    const end = Math.min(changed.length, 64);
    for (let count = 1 + below(8); count > 0 && end > 0; count -= 1) changed[below(end)] = below(256);
    return changed;
  },
  (content, { below, bytes }) => {
    const at = below(content.length + 1);
    return Buffer.concat([content.subarray(0, at), bytes(1 + below(300)), content.subarray(at)]);
  },
  (content, { below }) => {
    const at = below(content.length + 1);
    return Buffer.concat([content.subarray(0, at), content.subarray(below(at + 1))]);
  },
  (content, { below }) => Buffer.from(content).fill(below(256), below(content.length + 1)),
];

/** The same content, cut, flipped, overwritten, repeated or whole. */
export const mutate: Mutation = (content, random) => random.pick(MUTATIONS)(content, random);
