import type { IdRange } from '@najwa/common/mongo';
import { LIMITS } from '@najwa/proto/http';
import type { Model, QueryFilter } from 'mongoose';
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

/** The entries of a list to show. */
export interface Selection<Filter> {
  filter: Filter;
  /** Folded. Each of them begins a word of the message or its reply. Empty for all messages. */
  words: readonly string[];
}

/** The sent messages to show. */
export interface SentSelection extends Selection<ReadFilter> {
  /** Recipients whose messages are left out. */
  without?: readonly number[];
}

/** Messages to count by month. */
export interface MonthsSelection {
  received?: { userId: number; filter: ReadFilter };
  /** @param without messages to this account */
  sent?: { sender: string; without?: number };
}

/** The messages that a folder showed when it was emptied. */
export interface Emptied {
  /** Everything that was set aside until then. */
  emptiedAt: Date;
  /** Messages that were set aside later. Clocks differ, so others of that time may have been set aside unseen. */
  emptiedIds: number[];
}

/** Held messages of one account that were delivered. */
const MAX_DELIVERED = 1_000;

/** For messages between those of a long inbox, of which there are far fewer. */
const FEW_OF_INBOX = { messages: 128, growth: () => 8 };

/**
 * A search scans 128 messages, then 1,024 (`LONG_INBOX` together), and uses the index of words after that: a word of one
 * message in a hundred has been found by then, and rarer ones are looked up for all messages at once if none was found,
 * otherwise in longer ranges.
 */
const LOOKED_THROUGH = { messages: 128, growth: 8, ranges: 2 };
const INDEXED_GROWTH = 64;

/** A word with as many among those looked through is common. How common does not matter. */
const COMMON = 64;

/** Messages to look through at once where no index tells which of them are wanted. */
export const MOST_LOOKED_THROUGH = 10_000;

/** The lists of messages. The cost of a page does not depend on the size of its list. */
export interface InboxStore {
  listReceived(userId: number, selection: Selection<ReadFilter>, page: Page): Promise<MessageRecord[]>;
  /** Messages that were set aside and not discarded, without those that the folder showed when it was emptied. */
  listAside(userId: number, words: readonly string[], page: Page): Promise<MessageRecord[]>;
  /** The published messages, the pinned ones first. */
  listPublic(userId: number, page: Page): Promise<MessageRecord[]>;
  /** In their order. Concurrent calls may exceed the limit until the next call. */
  findPinned(userId: number): Promise<MessageRecord[]>;
  /** As `asSent`. A search or a filter looks through `MOST_LOOKED_THROUGH` at once. The filter is about whether the recipient read them. @param sender tag of the account */
  listSent(sender: string, selection: SentSelection, page: Page): Promise<PagePart>;
  /** The id of the first message of a list since a time. Undefined if there is none. */
  findFirstSince(list: { userId: number } | { sender: string }, time: Date): Promise<number | undefined>;
  /** Numbers of messages by month, as `2026-10`, in a time zone. Looks at each of them. */
  countByMonth(selection: MonthsSelection, zone: string): Promise<Map<string, number>>;
  /** Messages from an account to itself that both of its lists show, of the latest `MOST_LOOKED_THROUGH` in the shorter one. */
  countToSelf(userId: number, sender: string): Promise<number>;
  /** Sets when the time of a change ends. */
  endUndo(undo: Undo, until: Date): Promise<void>;
  /** Messages whose change a token takes back, deleted ones as well. */
  findUndo(until: Date, by: string): Promise<MessageRecord[]>;
  /** Messages whose change could be taken back until before a time, deleted ones as well. */
  findUndoBefore(time: Date, limit: number): Promise<MessageRecord[]>;
  /** Ends the time in which a change can be taken back, of a message that is not deleted. */
  forgetUndo(id: number, until: Date): Promise<void>;
}

const countOf: Record<ReadFilter, (counts: MessageCounts) => number> = {
  all: ({ received }) => received,
  read: ({ read }) => read,
  unread: ({ received, read }) => received - read,
};

/** The extent of a whole inbox. */
export const inboxOf = ({ counts, receivedIds }: CountSummary): ListExtent => ({
  count: counts.received,
  span: receivedIds,
});

const matching = (filter: ReadFilter): QueryFilter<MessageDocument> =>
  filter === 'all' ? {} : { isRead: filter === 'read' };

export function createInboxStore(
  { model, find, list, listPart }: StoredMessages,
  counts: Pick<CountRepository, 'summary'>,
  emptiedOf: (userId: number) => Promise<Emptied | undefined>,
): InboxStore {
  const findPinned = async (userId: number): Promise<MessageRecord[]> => {
    // Without the hint DocumentDB scans every published message.
    const found = await find({ 'pin.owner': userId, userId, isPublic: true, ...notDeleted }, { hint: lookupIndex });
    const placeOf = ({ pin }: MessageRecord): number => pin?.place ?? 0;
    return found.sort((a, b) => placeOf(a) - placeOf(b) || a.id - b.id);
  };

  return {
    async listReceived(userId, { filter, words }, page) {
      const { counts: counted, receivedIds: span } = await counts.summary(userId);
      const reading = words.length === 0 ? {} : searching(model, userId, words);
      return list({ userId, ...matching(filter) }, { count: countOf[filter](counted), span }, page, reading);
    },
    async listAside(userId, words, page) {
      const [emptied, summary] = await Promise.all([emptiedOf(userId), counts.summary(userId)]);
      const shown = { ...shownAside(userId), ...having(words), ...(emptied && isLater(emptied)) };
      return list(shown, inboxOf(summary), page, {
        ...FEW_OF_INBOX,
        // The index of all times is not that of one account.
        refine: () => Promise.resolve([{ filter: {}, hint: receivedIndex }]),
      });
    },
    async listPublic(userId, page) {
      const { counts: counted, receivedIds } = await counts.summary(userId);
      const pinned = (await findPinned(userId)).slice(0, LIMITS.pinned);
      const ids = pinned.map(({ id }) => id);
      const last = page.before === undefined ? -1 : ids.indexOf(page.before);
      const isFurther = page.before !== undefined && last === -1;
      const first = isFurther ? [] : pinned.slice(last + 1, last + 1 + page.limit);
      const missing = page.limit - first.length;
      if (missing === 0) return first;
      const extent = { count: counted.public, span: receivedIds };
      const others = await list({ userId, isPublic: true }, extent, {
        order: page.order,
        before: isFurther ? page.before : undefined,
        limit: missing + ids.length,
      });
      return [...first, ...others.filter(({ id }) => !ids.includes(id)).slice(0, missing)];
    },
    findPinned,
    async listSent(sender, { filter, words, without = [] }, page) {
      const { counts: counted, sentIds } = await counts.summary(sender);
      const sent = {
        senderUserId: sender,
        hiddenFromSender: false,
        ...matching(filter),
        ...having(words),
        // A message that was set aside has the negative id.
        ...(without.length > 0 && { userId: { $nin: without.flatMap((id) => [id, -id]) } }),
      };
      // They stand where they stood before they were delivered, or their sender would learn that they were held.
      const delivered = await find(
        { ...notDeleted, ...sent, 'sentAs.id': { $gt: 0 } },
        { hint: lookupIndex, limit: MAX_DELIVERED },
      );
      const direction = page.order === 'newest' ? -1 : 1;
      const extent = { count: counted.sent, span: sentIds };
      const part = await listPart({ ...sent, 'sentAs.id': null }, extent, page, {
        ...((words.length > 0 || filter !== 'all') && { most: MOST_LOOKED_THROUGH }),
      });
      const nextBefore = part.found.length < page.limit ? part.nextBefore : null;
      const { before = -direction * Infinity } = page;
      const isInPart = (id: number): boolean =>
        direction * (id - before) > 0 && (nextBefore === null || direction * (nextBefore - id) >= 0);
      const moved = delivered.map(asSent).filter(({ id }) => isInPart(id));
      const found = [...moved, ...part.found].sort((a, b) => direction * (a.id - b.id));
      return { found: found.slice(0, page.limit), nextBefore: found.length < page.limit ? nextBefore : null };
    },
    async findFirstSince(of, time) {
      const { counts: counted, receivedIds, sentIds } = await counts.summary('sender' in of ? of.sender : of.userId);
      const [filter, extent] =
        'sender' in of
          ? [
              { senderUserId: of.sender, hiddenFromSender: false, 'sentAs.id': null },
              { count: counted.sent, span: sentIds },
            ]
          : [of, { count: counted.received, span: receivedIds }];
      const next = async (before: number): Promise<MessageRecord | undefined> =>
        (await list(filter, extent, { order: 'oldest', before, limit: 1 }))[0];
      // Ids are in the order of time. All up to `earlier` are before the time, and none between `later` and the answer.
      let earlier = extent.span.first - 1;
      let later = extent.span.last + 1;
      while (later - earlier > 1) {
        const middle = Math.floor((earlier + later) / 2);
        const found = await next(middle - 1);
        if (found !== undefined && found.createdAt < time) earlier = found.id;
        else later = middle;
      }
      return (await next(earlier))?.id;
    },
    async countByMonth({ received, sent }, zone) {
      const months = new Map<string, number>();
      const count = async (
        filter: QueryFilter<MessageDocument>,
        time: string | object,
        hint: Record<string, 1 | -1>,
      ): Promise<void> => {
        const counted = await model
          .aggregate<{
            _id: string;
            count: number;
          }>([
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
    },
    async countToSelf(userId, sender) {
      const [received, sent] = await Promise.all([counts.summary(userId), counts.summary(sender)]);
      const [extent, hint] =
        sent.counts.sent < received.counts.received
          ? [{ count: sent.counts.sent, span: sent.sentIds }, sentIndex]
          : [inboxOf(received), receivedIndex];
      const oldest = extent.span.last - widthOf(extent, MOST_LOOKED_THROUGH);
      const toSelf = { userId, senderUserId: sender, hiddenFromSender: false, ...notDeleted };
      return model.countDocuments({ ...toSelf, ...(Number.isFinite(oldest) && { id: { $gt: oldest } }) }, { hint });
    },
    async endUndo({ by, until: before }, until) {
      await model.updateMany({ 'undo.until': before, 'undo.by': by, ...stored }, { $set: { 'undo.until': until } });
    },
    findUndo: (until, by) => find({ 'undo.until': until, 'undo.by': by, ...stored }),
    findUndoBefore: (time, limit) => find({ 'undo.until': { $gt: new Date(0), $lt: time }, ...stored }, { limit }),
    async forgetUndo(id, until) {
      await model.updateOne({ id, 'undo.until': until, ...notDeleted }, { $unset: { undo: 1 } });
    },
  };
}

/** `$nor`, since ranges of ids have a condition on `id` as well. */
const isLater = ({ emptiedAt, emptiedIds }: Emptied) => ({
  'aside.at': { $gt: emptiedAt },
  ...(emptiedIds.length > 0 && { $nor: [{ id: { $in: emptiedIds } }] }),
});

// Words of a search are letters, digits and emojis, so that nothing in them needs to be escaped.
const begins = (word: string) => ({ $regex: `^${word}` });
const lacking = (word: string): QueryFilter<MessageDocument> => ({ words: { $not: begins(word) } });
const beginning = (word: string): QueryFilter<MessageDocument> => ({
  $or: [{ words: begins(word) }, { unindexedWords: begins(word) }],
});
/** Empty for all messages. */
const having = (words: readonly string[]): QueryFilter<MessageDocument> =>
  words.length === 0 ? {} : { $and: words.map(beginning) };

/**
 * Reads the messages with these words. First it looks through the latest messages, then it asks the index for the word
 * that was the rarest in the last of them, and looks at what it finds for the others.
 */
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
          // At the same time, since most searches that come so far need it next.
          rarest = findRarest(range);
          rarest.catch(() => undefined);
        }
        return [{ filter: having(words), hint: receivedIndex }];
      }
      const asked = await rarest;
      const others = words.filter((word) => word !== asked);
      // The index serves the first condition alone: a negated negation cannot use it.
      const indexed = { words: begins(asked ?? ''), ...(others.length > 0 && { $nor: others.map(lacking) }) };
      // A message goes from the first to the second.
      return [
        { filter: { words: NOT_INDEXED, ...having(words) }, hint: wordsIndex },
        { filter: indexed, hint: wordsIndex },
      ];
    },
  };
}
