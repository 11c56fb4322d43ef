import type { IdRange } from '@najwa/common';
import type { Model, QueryFilter } from 'mongoose';
import type { MessageDocument } from '../store/message-record.js';

/**
 * A search scans 128 messages, then 1,024, and uses the index of words after that: a word of one message in a hundred has been
 * found by then, and rarer ones are looked up for all messages at once if none was found, otherwise in longer ranges.
 */
const LOOKED_THROUGH = { messages: 128, growth: 8, ranges: 2 };
const INDEXED_GROWTH = 64;

/** A word with as many among those looked through is common. How common does not matter. */
const COMMON = 64;

export const receivedIndex = { userId: 1, id: -1 } as const;
export const wordsIndex = { userId: 1, words: 1, id: -1 } as const;

/** Rules for reading the ranges of a long list. */
export interface Reading {
  /** In the first range, on average. */
  messages?: number;
  growth?: (found: number) => number;
  /** Adds to the filter of a range, and chooses the index. */
  refine?: (
    range: IdRange,
  ) => Promise<{ filter: QueryFilter<MessageDocument>; hint: Readonly<Record<string, 1 | -1>> }>;
}

// Words of a search are letters, digits and emojis, so that nothing in them needs to be escaped.
const beginning = (word: string): QueryFilter<MessageDocument> => ({ words: { $regex: `^${word}` } });
const lacking = (word: string): QueryFilter<MessageDocument> => ({ words: { $not: { $regex: `^${word}` } } });
/** Empty for all messages. */
export const having = (words: readonly string[]): QueryFilter<MessageDocument> =>
  words.length === 0 ? {} : { $and: words.map(beginning) };

/**
 * Reads the messages with these words. First it looks through the latest messages, then it asks the index for the word
 * that was the rarest in the last of them, and looks at what it finds for the others.
 */
export function searching(model: Model<MessageDocument>, userId: number, words: readonly string[]): Reading {
  let ranges = 0;
  let rarest: Promise<string | undefined> | undefined;

  const findRarest = async (range: IdRange): Promise<string | undefined> => {
    if (words.length === 1) return words[0];
    const counts = await Promise.all(
      words.map((word) =>
        model
          .find({ userId, ...beginning(word), ...range }, { _id: 0, id: 1 }, { hint: receivedIndex, limit: COMMON })
          .lean<unknown[]>(),
      ),
    );
    const fewest = Math.min(...counts.map(({ length }) => length));
    return words.find((_, index) => counts[index]?.length === fewest);
  };

  return {
    messages: LOOKED_THROUGH.messages,
    growth: (found) =>
      ranges < LOOKED_THROUGH.ranges ? LOOKED_THROUGH.growth : found === 0 ? Infinity : INDEXED_GROWTH,
    async refine(range) {
      ranges += 1;
      if (ranges <= LOOKED_THROUGH.ranges) {
        if (ranges === LOOKED_THROUGH.ranges) {
          // At the same time, since most searches that come so far need it next.
          rarest = findRarest(range);
          rarest.catch(() => undefined);
        }
        return { filter: having(words), hint: receivedIndex };
      }
      const asked = await rarest;
      const others = words.filter((word) => word !== asked);
      // The index serves the first condition alone: a negated negation cannot use it.
      const filter = { ...beginning(asked ?? ''), ...(others.length > 0 && { $nor: others.map(lacking) }) };
      return { filter, hint: wordsIndex };
    },
  };
}
