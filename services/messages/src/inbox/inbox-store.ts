import type { IdRange } from '@najwa/common/mongo';
import { LIMITS } from '@najwa/proto/http';
import type { Model, QueryFilter } from 'mongoose';
import type { Emptied, InboxRulesRepository } from '../safety/rules-store.js';
import type { CountRepository, CountSummary, MessageCounts } from '../store/counts.js';
import {
  asSent,
  NOT_INDEXED,
  type MessageDocument,
  type MessageRecord,
  type ReadFilter,
  type Undo,
} from '../store/message-record.js';
import {
  lookupIndex,
  notDeleted,
  receivedIndex,
  sentIndex,
  shownAside,
  stored,
  widthOf,
  wordsIndex,
  type ListExtent,
  type Page,
  type PagePart,
  type Reading,
  type StoredMessages,
} from '../store/messages.js';

export interface Selection<Filter> {
  filter: Filter;
  /** Folded prefixes, all of which must match. Empty for all messages. */
  words: readonly string[];
}

export interface SentSelection extends Selection<ReadFilter> {
  without?: readonly number[];
}

export interface MonthsSelection {
  received?: { userId: number; filter: ReadFilter };
  sent?: { sender: string; without?: number };
}

const MAX_DELIVERED = 1_000;

const notHeld = { 'sentAs.id': { $not: { $gt: 0 } } };

/** Reads sparse matches of a long inbox in wide ranges. */
const FEW_OF_INBOX = { messages: 128, growth: () => 8 };

/**
 * A search scans 128 and then 1,024 messages (together `LONG_INBOX`), which finds words as frequent as one in a
 * hundred. Rarer words use the index.
 */
const LOOKED_THROUGH = { messages: 128, growth: 8, ranges: 2 };
const INDEXED_GROWTH = 64;

const COMMON = 64;

/** Messages scanned per request without an index. */
export const MOST_LOOKED_THROUGH = 10_000;

const countOf: Record<ReadFilter, (counts: MessageCounts) => number> = {
  all: ({ received }) => received,
  read: ({ read }) => read,
  unread: ({ received, read }) => received - read,
};

export const inboxOf = ({ counts: { received: count }, receivedIds: span }: CountSummary): ListExtent => ({
  count,
  span,
});
const sentOf = ({ counts: { sent: count }, sentIds: span }: CountSummary): ListExtent => ({ count, span });

const matching = (filter: ReadFilter): QueryFilter<MessageDocument> =>
  filter === 'all' ? {} : { isRead: filter === 'read' };

/** The cost of a page does not depend on the length of its list. */
export class InboxStore {
  readonly #messages;
  readonly #counts;
  readonly #rules;

  constructor(messages: StoredMessages, counts: CountRepository, rules: InboxRulesRepository) {
    this.#messages = messages;
    this.#counts = counts;
    this.#rules = rules;
  }

  async listReceived(userId: number, { filter, words }: Selection<ReadFilter>, page: Page): Promise<MessageRecord[]> {
    const { counts: counted, receivedIds: span } = await this.#counts.summary(userId);
    const reading = words.length === 0 ? {} : searching(this.#messages.model, userId, words);
    const extent = { count: countOf[filter](counted), span };
    return this.#messages.list({ userId, ...matching(filter) }, extent, page, reading);
  }
  /** Excludes discarded messages and emptied folders. */
  async listAside(userId: number, words: readonly string[], page: Page): Promise<MessageRecord[]> {
    const [emptied, summary] = await Promise.all([this.#rules.emptied(userId), this.#counts.summary(userId)]);
    const shown = { ...shownAside(userId), ...having(words), ...(emptied && isLater(emptied)) };
    return this.#messages.list(shown, inboxOf(summary), page, {
      ...FEW_OF_INBOX,
      // The planner would choose the index across accounts.
      refine: () => Promise.resolve([{ filter: {}, hint: receivedIndex }]),
    });
  }
  /** Pinned messages first. */
  async listPublic(userId: number, page: Page): Promise<MessageRecord[]> {
    const { counts: counted, receivedIds } = await this.#counts.summary(userId);
    const pinned = (await this.findPinned(userId)).slice(0, LIMITS.pinned);
    const ids = pinned.map(({ id }) => id);
    const last = page.before === undefined ? -1 : ids.indexOf(page.before);
    const isFurther = page.before !== undefined && last === -1;
    const first = isFurther ? [] : pinned.slice(last + 1, last + 1 + page.limit);
    const missing = page.limit - first.length;
    if (missing === 0) return first;
    const extent = { count: counted.public, span: receivedIds };
    const others = await this.#messages.list({ userId, isPublic: true }, extent, {
      order: page.order,
      before: isFurther ? page.before : undefined,
      limit: missing + ids.length,
    });
    return [...first, ...others.filter(({ id }) => !ids.includes(id)).slice(0, missing)];
  }
  /** Concurrent pinning may exceed the limit until the next call. */
  async findPinned(userId: number): Promise<MessageRecord[]> {
    // Without the hint DocumentDB scans every published message.
    const filter = { 'pin.owner': userId, userId, isPublic: true, ...notDeleted };
    const found = await this.#messages.find(filter, { hint: lookupIndex });
    const placeOf = ({ pin }: MessageRecord): number => pin?.place ?? 0;
    return found.sort((a, b) => placeOf(a) - placeOf(b) || a.id - b.id);
  }
  /**
   * As `asSent`. A search or filter scans at most `MOST_LOOKED_THROUGH`. `read` refers to the recipient.
   * @param sender tag of the account
   */
  async listSent(sender: string, { filter, words, without = [] }: SentSelection, page: Page): Promise<PagePart> {
    const extent = sentOf(await this.#counts.summary(sender));
    const sent = {
      senderUserId: sender,
      hiddenFromSender: false,
      ...matching(filter),
      ...having(words),
      // Messages set aside have negative ids.
      ...(without.length > 0 && { userId: { $nin: without.flatMap((id) => [id, -id]) } }),
    };
    // Listed at their original position, which hides that they were held.
    const delivered = await this.#messages.find(
      { ...notDeleted, ...sent, 'sentAs.id': { $gt: 0 } },
      { hint: lookupIndex, limit: MAX_DELIVERED },
    );
    const direction = page.order === 'newest' ? -1 : 1;
    const part = await this.#messages.listPart({ ...sent, ...notHeld }, extent, page, {
      ...((words.length > 0 || filter !== 'all') && { most: MOST_LOOKED_THROUGH }),
    });
    const nextBefore = part.found.length < page.limit ? part.nextBefore : null;
    const { before = -direction * Infinity } = page;
    const isInPart = (id: number): boolean =>
      direction * (id - before) > 0 && (nextBefore === null || direction * (nextBefore - id) >= 0);
    const moved = delivered.map(asSent).filter(({ id }) => isInPart(id));
    const found = [...moved, ...part.found].sort((a, b) => direction * (a.id - b.id));
    return { found: found.slice(0, page.limit), nextBefore: found.length < page.limit ? nextBefore : null };
  }
  async findFirstSince(of: { userId: number } | { sender: string }, time: Date): Promise<number | undefined> {
    const summary = await this.#counts.summary('sender' in of ? of.sender : of.userId);
    const [filter, extent] =
      'sender' in of
        ? [{ senderUserId: of.sender, hiddenFromSender: false, ...notHeld }, sentOf(summary)]
        : [of, inboxOf(summary)];
    const next = async (before: number): Promise<MessageRecord | undefined> =>
      (await this.#messages.list(filter, extent, { order: 'oldest', before, limit: 1 }))[0];
    // Binary search: all up to `earlier` are before `time`, and none lies between `later` and the answer.
    let earlier = extent.span.first - 1;
    let later = extent.span.last + 1;
    while (later - earlier > 1) {
      const middle = Math.floor((earlier + later) / 2);
      const found = await next(middle - 1);
      if (found !== undefined && found.createdAt < time) earlier = found.id;
      else later = middle;
    }
    return (await next(earlier))?.id;
  }
  /** Counts by month, as `2026-10`. Scans every message. */
  async countByMonth({ received, sent }: MonthsSelection, zone: string): Promise<Map<string, number>> {
    const months = new Map<string, number>();
    const count = async (
      filter: QueryFilter<MessageDocument>,
      time: string | object,
      hint: Record<string, 1 | -1>,
    ): Promise<void> => {
      const counted = await this.#messages.model
        .aggregate<{ _id: string; count: number }>([
          { $match: { ...filter, ...notDeleted } },
          { $group: { _id: { $dateToString: { date: time, format: '%Y-%m', timezone: zone } }, count: { $sum: 1 } } },
        ])
        .hint(hint);
      for (const { _id, count: more } of counted) months.set(_id, (months.get(_id) ?? 0) + more);
    };
    if (received) await count({ userId: received.userId, ...matching(received.filter) }, '$createdAt', receivedIndex);
    if (sent)
      await count(
        {
          senderUserId: sent.sender,
          hiddenFromSender: false,
          ...(sent.without !== undefined && { userId: { $ne: sent.without } }),
        },
        { $ifNull: ['$sentAs.at', '$createdAt'] },
        sentIndex,
      );
    return months;
  }
  /** Within the latest `MOST_LOOKED_THROUGH` of the shorter list. */
  async countToSelf(userId: number, sender: string): Promise<number> {
    const [received, sent] = await Promise.all([this.#counts.summary(userId), this.#counts.summary(sender)]);
    const [extent, hint] =
      sent.counts.sent < received.counts.received ? [sentOf(sent), sentIndex] : [inboxOf(received), receivedIndex];
    const oldest = extent.span.last - widthOf(extent, MOST_LOOKED_THROUGH);
    const latest = Number.isFinite(oldest) && { id: { $gt: oldest } };
    const toSelf = { userId, senderUserId: sender, hiddenFromSender: false, ...notDeleted, ...latest };
    return this.#messages.model.countDocuments(toSelf, { hint });
  }
  async endUndo({ by, until: before }: Undo, until: Date): Promise<void> {
    const undone = { 'undo.until': before, 'undo.by': by, ...stored };
    await this.#messages.model.updateMany(undone, { $set: { 'undo.until': until } });
  }
  /** Includes deleted messages. */
  async findUndo(until: Date, by: string): Promise<MessageRecord[]> {
    const found = await this.#messages.find({ 'undo.until': until, 'undo.by': by, ...stored });
    // A cursor may meet a message again that was written meanwhile.
    return [...new Map(found.map((message) => [message.id, message])).values()];
  }
  /** Includes deleted messages. */
  findUndoBefore(time: Date, limit: number): Promise<MessageRecord[]> {
    return this.#messages.find({ 'undo.until': { $gt: new Date(0), $lt: time }, ...stored }, { limit });
  }
  /** Skips deleted messages. */
  async forgetUndo(id: number, until: Date): Promise<void> {
    await this.#messages.model.updateOne({ id, 'undo.until': until, ...notDeleted }, { $unset: { undo: 1 } });
  }
}

/** `$nor`, because id ranges occupy `id`. */
const isLater = ({ emptiedAt, emptiedIds }: Emptied) => ({
  'aside.at': { $gt: emptiedAt },
  ...(emptiedIds.length > 0 && { $nor: [{ id: { $in: emptiedIds } }] }),
});

// Search words are letters, digits and emoji, so they need no escaping.
const begins = (word: string) => ({ $regex: `^${word}` });
const lacking = (word: string): QueryFilter<MessageDocument> => ({ words: { $not: begins(word) } });
const beginning = (word: string): QueryFilter<MessageDocument> => ({
  $or: [{ words: begins(word) }, { unindexedWords: begins(word) }],
});
const having = (words: readonly string[]): QueryFilter<MessageDocument> =>
  words.length === 0 ? {} : { $and: words.map(beginning) };

/** Scans the latest messages, then queries the index by the word rarest among them. */
function searching(model: Model<MessageDocument>, userId: number, words: readonly string[]): Reading {
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
          // Prefetched: most searches that get here need it.
          rarest = findRarest(range);
          rarest.catch(() => undefined);
        }
        return [{ filter: having(words), hint: receivedIndex }];
      }
      const asked = await rarest;
      const others = words.filter((word) => word !== asked);
      // The index serves only the first condition: a double negation cannot use it.
      const indexed = { words: begins(asked ?? ''), ...(others.length > 0 && { $nor: others.map(lacking) }) };
      // In this order, because indexing moves messages from first to second.
      return [
        { filter: { words: NOT_INDEXED, ...having(words) }, hint: wordsIndex },
        { filter: indexed, hint: wordsIndex },
      ];
    },
  };
}
