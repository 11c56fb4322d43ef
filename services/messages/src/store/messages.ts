import {
  retryOnDeadlock,
  AppError,
  createBatcher,
  createIdGenerator,
  ensureIndexes,
  IN_BACKGROUND,
  insertEach,
  isDuplicateKey,
  outboxIndex,
  readByIdRanges,
  type IdOrder,
  type IdSpan,
  type OutboxEntry,
} from '@najwa/common';
import { LIMITS } from '@najwa/proto/http';
import type { Connection, mongo, QueryFilter } from 'mongoose';
import type { Emptied, EmptiedFolder } from '../safety/rules-store.js';
import { countChanges, ledgerNote, pendingCountsIndex, withCounts } from './counts.js';
import {
  asSent,
  changeOf,
  isPublished,
  messageSchema,
  NOBODY,
  STORED_FIELDS,
  type AccountKey,
  type Change,
  type EarlierMessage,
  type MessageChange,
  type MessageDocument,
  type MessageRecord,
  type NewMessage,
  type ReadFilter,
  type SenderTags,
  wordsOf,
} from './message-record.js';
import { having, receivedIndex, searching, wordsIndex, type Reading } from '../inbox/search-store.js';

export interface Page {
  order: IdOrder;
  /** Id of the last message of the previous page, in the list's own order. */
  before: number | undefined;
  limit: number;
}

/** Size and id span of a list, as far as known. They only choose the ranges to read, never what is found. */
export interface ListExtent {
  count: number;
  span: IdSpan;
}

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

/** A list, to find a place in. */
export type TimedList = { userId: number } | { sender: string };

const MESSAGES = 'messages';
const MAX_CHANGE_TRIES = 10;

/** A list up to this length is read without ranges. */
const SHORT_LIST = 200;

const sentIndex = { senderUserId: 1, id: -1 } as const;
const sentAsIndex = { 'sentAs.id': 1 } as const;

/** Held messages of one account that were delivered. */
const MAX_DELIVERED = 1_000;

/** Index hint. Without it DocumentDB scans every published message. */
const pinIndex = { 'pin.owner': 1 } as const;

/** Number of ids that hold so many messages of a list on average. */
const widthOf = ({ count, span }: ListExtent, messages: number): number =>
  count <= SHORT_LIST ? Infinity : Math.ceil(((span.last - span.first + 1) / count) * messages);

const LATEST = 128;

/** For messages between those of a long inbox, of which there are far fewer. */
const FEW_OF_INBOX = { messages: LATEST, growth: () => 8 };

/** The first range of a long list spans this many pages on average, so that it usually suffices. */
const FIRST_RANGE_PAGES = 3;

/** The state of a message in its recipient's inbox. */
export interface InboxState {
  userId: number;
  isRead: boolean;
  /** False if it is set aside, or if its recipient's account is gone. */
  isInInbox: boolean;
}

export interface MessageRepository {
  collection: mongo.Collection;
  prepare(): Promise<void>;
  /** Finds tombstones too: a retry must not send a deleted message again. */
  findBySubmission(key: string): Promise<EarlierMessage | null>;
  /** @returns the new message, or the one that an earlier try of this submission created */
  insert(
    message: NewMessage,
    eventsOf: (message: MessageRecord) => Promise<OutboxEntry[]>,
  ): Promise<{ message: EarlierMessage; isNew: boolean }>;
  find(id: number): Promise<MessageRecord | null>;
  /** A message by the id and the time at which it was sent, one whose deletion can be taken back as well. */
  findAsSent(sentId: number, sentAt: Date): Promise<MessageRecord | null>;
  /** State for notifications. Questions that come at once share a read. */
  findInboxState(id: number): Promise<InboxState | null>;
  findEach(ids: number[]): Promise<MessageRecord[]>;
  /** @param wayBack hash of the token */
  findByWayBack(wayBack: string): Promise<MessageRecord | null>;
  listReceived(
    userId: number,
    selection: Selection<ReadFilter>,
    extent: ListExtent,
    page: Page,
  ): Promise<MessageRecord[]>;
  /** The id of the first message of a list since a time. Undefined if there is none. */
  findFirstSince(list: TimedList, time: Date, extent: ListExtent): Promise<number | undefined>;
  /** Numbers of messages by month, as `2026-10`, in a time zone. Looks at each of them. */
  countByMonth(selection: MonthsSelection, zone: string): Promise<Map<string, number>>;
  /** As `listReceived` of the published messages. The list begins with the pinned ones. */
  listPublic(userId: number, extent: ListExtent, page: Page): Promise<MessageRecord[]>;
  /** In their order. Concurrent calls may exceed the limit until the next call. */
  findPinned(userId: number): Promise<MessageRecord[]>;
  /**
   * Messages that were set aside and not discarded.
   * @param emptied without those that the folder showed when it was emptied
   * @param inbox of the same account
   */
  listAside(
    userId: number,
    { words, emptied }: { words: readonly string[]; emptied: Emptied | undefined },
    inbox: ListExtent,
    page: Page,
  ): Promise<MessageRecord[]>;
  /** Ids of messages that were set aside after a time and not discarded. */
  listAsideSince(userId: number, time: Date, limit: number): Promise<number[]>;
  /** Some of the messages that a folder showed when it was emptied, and that are not discarded. */
  findEmptied(folder: EmptiedFolder, limit: number): Promise<MessageRecord[]>;
  /** Messages that were set aside before a time and are not discarded yet. */
  findAsideBefore(time: Date, limit: number): Promise<MessageRecord[]>;
  /** As many of those, as far as to the limit. */
  countAsideBefore(time: Date, limit: number): Promise<number>;
  /** All that are set aside and not discarded. */
  countAside(): Promise<number>;
  /** Messages that a moderators' action holds, which began at a time, without those that are to be delivered. */
  findHeld(actionId: number, since: Date, limit: number): Promise<MessageRecord[]>;
  /** Held messages whose time has come, in its order. */
  findDeliverable(now: Date, limit: number): Promise<MessageRecord[]>;
  /** Messages whose change a token takes back, deleted ones as well. */
  findUndo(until: Date, by: string): Promise<MessageRecord[]>;
  /** Messages whose change could be taken back until before a time, deleted ones as well. */
  findUndoBefore(time: Date, limit: number): Promise<MessageRecord[]>;
  /** Ends the time in which a change can be taken back, of a message that is not deleted. */
  forgetUndo(id: number, until: Date): Promise<void>;
  /** The tags of the newest messages to an account since a time, in the inbox or not. */
  listTags(userId: number, since: Date, inbox: ListExtent, limit: number): Promise<SenderTags[]>;
  /** As `asSent`. */
  listSent(sender: string, selection: SentSelection, extent: ListExtent, page: Page): Promise<MessageRecord[]>;
  /** A message of an account by the id that it had before it was delivered. */
  findSent(id: number, sender: string): Promise<MessageRecord | null>;
  /**
   * Changes a held message, and gives it the id and the time of a new one.
   * @param decide as in `change`
   */
  deliver(id: number, decide: (message: MessageRecord) => MessageChange | null): Promise<void>;
  /** Messages from an account to itself that both of its lists show. */
  countToSelf(userId: number, sender: string): Promise<number>;
  /** Some messages to an account, in the inbox or not. */
  findReceivedBy(userId: number, limit: number): Promise<MessageRecord[]>;
  findSentBy(sender: string, limit: number): Promise<MessageRecord[]>;
  /** Published messages with a file whose `isWithheld` differs, in the order of their ids. */
  findFilesToWithhold(userId: number, isWithheld: boolean, limit: number): Promise<MessageRecord[]>;
  /** Removes everything from a message that leads to the account that sent it. */
  forgetSender(id: number, eventOf: (change: Change) => OutboxEntry): Promise<void>;
  /** Removes everything from a message that leads to its recipient. The sender's list keeps it. */
  forgetRecipient(id: number, eventsOf: (before: MessageRecord, change: Change) => OutboxEntry[]): Promise<void>;
  /**
   * True if a message or an event that was not published is about an account.
   * @param keys both of the account
   */
  hasTraceOf(userId: number, keys: readonly AccountKey[]): Promise<boolean>;
  /** Messages with one of these files, set aside or not. */
  findByFiles(names: readonly string[]): Promise<MessageRecord[]>;
  /**
   * Changes a message with optimistic locking: decides again when another write came first. A message that is no longer
   * on the public page is no longer pinned.
   * @param decide returns null when there is nothing to change
   * @returns the message after the change, or null when there is none
   */
  change(id: number, decide: (message: MessageRecord) => MessageChange | null): Promise<MessageRecord | null>;
  /**
   * Deletes a message: its text at once, the rest when its event is published.
   * @param decide may refuse by throwing
   */
  remove(id: number, decide: (message: MessageRecord) => OutboxEntry): Promise<void>;
}

export function createMessageRepository(connection: Connection): MessageRepository {
  const model = connection.model('Message', messageSchema);
  const nextMessageId = createIdGenerator(connection, MESSAGES);
  const stored = { deletedAt: null };
  /** Also hides messages whose deletion can be taken back. */
  const notDeleted = { ...stored, 'aside.reason': { $ne: 'deleted' as const } };
  const shownAside = (userId: number): QueryFilter<MessageDocument> => ({
    userId: -userId,
    'aside.discardedAt': null,
    'aside.reason': { $in: ['blocked', 'filtered'] },
  });
  const findOne = async (filter: QueryFilter<MessageDocument>): Promise<MessageRecord | null> => {
    const found = await model.findOne(filter).lean<MessageDocument>();
    return found && toRecord(found);
  };

  const findEach = async (ids: number[]): Promise<MessageRecord[]> => {
    if (ids.length === 0) return [];
    const found = await model.find({ id: { $in: ids }, ...notDeleted }).lean<MessageDocument[]>();
    return found.map(toRecord);
  };

  const findInboxState = createBatcher<number, InboxState | null>({
    runBatch: async (ids) => {
      const found = await model
        .find({ id: { $in: [...new Set(ids)] }, ...stored }, { _id: 0, id: 1, userId: 1, isRead: 1 })
        .lean<Pick<MessageDocument, 'id' | 'userId' | 'isRead'>[]>();
      const byId = new Map(
        found.map(({ id, userId, isRead }) => [id, { userId: Math.abs(userId), isRead, isInInbox: userId > NOBODY }]),
      );
      return ids.map((id) => byId.get(id) ?? null);
    },
  });

  const findBySubmission = createBatcher<string, EarlierMessage | null>({
    runBatch: async (keys) => {
      const found = await model.find({ 'submission.key': { $in: keys } }).lean<MessageDocument[]>();
      const byKey = new Map(found.map((message) => [message.submission.key, toRecord(message)]));
      return keys.map((key) => byKey.get(key) ?? null);
    },
  });

  const insertDocument = createBatcher<MessageDocument, undefined>({
    runBatch: (documents) => insertEach(model.collection, documents),
  });

  const list = async (
    filter: QueryFilter<MessageDocument>,
    extent: ListExtent,
    { order, before, limit }: Page,
    { messages = limit * FIRST_RANGE_PAGES, growth, refine }: Reading = {},
  ): Promise<MessageRecord[]> => {
    const { found } = await readByIdRanges({
      async find(range, max) {
        const refined = await refine?.(range);
        return model
          .find({ ...notDeleted, ...filter, ...refined?.filter, ...range }, null, refined && { hint: refined.hint })
          .sort({ id: order === 'newest' ? -1 : 1 })
          .limit(max)
          .lean<MessageDocument[]>();
      },
      order,
      before,
      limit,
      span: extent.span,
      width: widthOf(extent, messages),
      ...(growth && { growth }),
    });
    return found.map(toRecord);
  };

  const matching = (filter: ReadFilter): QueryFilter<MessageDocument> =>
    filter === 'all' ? {} : { isRead: filter === 'read' };

  const findPinned = async (userId: number): Promise<MessageRecord[]> => {
    const found = await model
      .find({ 'pin.owner': userId, userId, isPublic: true, ...notDeleted }, null, { hint: pinIndex })
      .lean<MessageDocument[]>();
    const placeOf = ({ pin }: MessageDocument): number => pin?.place ?? 0;
    return found.sort((a, b) => placeOf(a) - placeOf(b) || a.id - b.id).map(toRecord);
  };

  /** @returns false when another write came first */
  const write = async (
    before: MessageRecord,
    after: MessageRecord | null,
    set: StoredChange,
    events: OutboxEntry[],
  ): Promise<boolean> => {
    const { modifiedCount } = await model.updateOne(
      { id: before.id, revision: before.revision, ...stored },
      {
        ...toUpdate(before, set),
        $push: { outbox: { $each: withCounts(events, countChanges(before, after), ledgerNote(before, after)) } },
      },
    );
    return modifiedCount === 1;
  };

  return {
    collection: model.collection,
    prepare: () =>
      ensureIndexes(connection, MESSAGES, [
        { key: { id: 1 }, name: 'id', unique: true },
        { key: { 'submission.key': 1 }, name: 'submission_key', unique: true },
        { key: receivedIndex, name: 'received' },
        { key: wordsIndex, name: 'received_by_word' },
        { key: { userId: 1, isRead: 1, id: -1 }, name: 'received_by_read' },
        { key: { userId: 1, isPublic: 1, id: -1 }, name: 'received_by_public' },
        { key: sentIndex, name: 'sent' },
        { key: { 'aside.at': 1 }, name: 'aside_at', sparse: true },
        { key: { wayBack: 1 }, name: 'way_back', sparse: true },
        { key: { 'undo.until': 1 }, name: 'undo_until', sparse: true },
        { key: pinIndex, name: 'pin_owner', sparse: true },
        { key: { 'aside.deliverAt': 1 }, name: 'aside_deliver_at', sparse: true },
        { key: sentAsIndex, name: 'sent_as', sparse: true },
        { key: { imageName: 1 }, name: 'image_name', partialFilterExpression: { imageName: { $gt: '' } } },
        { key: { 'audio.name': 1 }, name: 'audio_name', sparse: true },
        outboxIndex,
        pendingCountsIndex,
      ]),
    findBySubmission,
    async insert(message, eventsOf) {
      const id = await nextMessageId();
      const record: MessageRecord = {
        ...message,
        id,
        hiddenFromSender: false,
        isRead: false,
        isPublic: false,
        revision: 1,
        reply: null,
      };
      const outbox = withCounts(await eventsOf(record), countChanges(null, record));
      try {
        await retryOnDeadlock(() => insertDocument({ ...toDocument(record), outbox }));
        return { message: record, isNew: true };
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        const earlier = await findBySubmission(message.submission.key);
        if (earlier === null) throw error;
        return { message: earlier, isNew: false };
      }
    },
    find: (id) => findOne({ id, ...notDeleted }),
    findAsSent: async (sentId, sentAt) =>
      (await findOne({ 'sentAs.id': sentId, 'sentAs.at': sentAt, ...stored })) ??
      findOne({ id: sentId, createdAt: sentAt, ...stored }),
    findInboxState,
    findEach,
    findByWayBack: (wayBack) => findOne({ wayBack, ...notDeleted }),
    async findUndo(until, by) {
      const found = await model.find({ 'undo.until': until, 'undo.by': by, ...stored }).lean<MessageDocument[]>();
      return found.map(toRecord);
    },
    async findUndoBefore(time, limit) {
      const found = await model
        .find({ 'undo.until': { $gt: new Date(0), $lt: time }, ...stored })
        .limit(limit)
        .lean<MessageDocument[]>();
      return found.map(toRecord);
    },
    async forgetUndo(id, until) {
      await model.updateOne({ id, 'undo.until': until, ...notDeleted }, { $unset: { undo: 1 } });
    },
    listReceived(userId, { filter, words }, extent, page) {
      if (words.length === 0) return list({ userId, ...matching(filter) }, extent, page);
      return list({ userId, ...matching(filter) }, extent, page, searching(model, userId, words));
    },
    async findFirstSince(of, time, extent) {
      const filter = 'sender' in of ? { senderUserId: of.sender, hiddenFromSender: false, 'sentAs.id': null } : of;
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
    async listPublic(userId, extent, page) {
      const pinned = (await findPinned(userId)).slice(0, LIMITS.pinned);
      const ids = pinned.map(({ id }) => id);
      const last = page.before === undefined ? -1 : ids.indexOf(page.before);
      const isFurther = page.before !== undefined && last === -1;
      const first = isFurther ? [] : pinned.slice(last + 1, last + 1 + page.limit);
      const missing = page.limit - first.length;
      if (missing === 0) return first;
      const others = await list({ userId, isPublic: true }, extent, {
        order: page.order,
        before: isFurther ? page.before : undefined,
        limit: missing + ids.length,
      });
      return [...first, ...others.filter(({ id }) => !ids.includes(id)).slice(0, missing)];
    },
    findPinned,
    listAside: (userId, { words, emptied }, inbox, page) =>
      list({ ...shownAside(userId), ...having(words), ...(emptied && isLater(emptied)) }, inbox, page, {
        ...FEW_OF_INBOX,
        // The index of all times is not that of one account.
        refine: () => Promise.resolve({ filter: {}, hint: receivedIndex }),
      }),
    async listAsideSince(userId, time, limit) {
      const found = await model
        .find(
          { ...shownAside(userId), 'aside.at': { $gt: time }, ...stored },
          { _id: 0, id: 1 },
          { hint: receivedIndex },
        )
        .limit(limit)
        .lean<Pick<MessageDocument, 'id'>[]>();
      return found.map(({ id }) => id);
    },
    async findEmptied({ userId, emptiedAt, emptiedIds }, limit) {
      const shown = { $or: [{ 'aside.at': { $lte: emptiedAt } }, { id: { $in: emptiedIds } }] };
      const found = await model
        .find({ ...shownAside(userId), ...shown, ...stored }, null, { hint: receivedIndex })
        .limit(limit)
        .lean<MessageDocument[]>();
      return found.map(toRecord);
    },
    async findAsideBefore(time, limit) {
      const found = await model
        .find({ 'aside.at': { $gt: new Date(0), $lt: time }, 'aside.discardedAt': null, ...notDeleted })
        .limit(limit)
        .lean<MessageDocument[]>();
      return found.map(toRecord);
    },
    countAsideBefore: (time, limit) =>
      model
        .countDocuments({ 'aside.at': { $gt: new Date(0), $lt: time }, 'aside.discardedAt': null, ...notDeleted })
        .limit(limit),
    countAside: () => model.countDocuments({ 'aside.at': { $gt: new Date(0) } }, IN_BACKGROUND),
    async findHeld(actionId, since, limit) {
      const found = await model
        .find({
          'aside.at': { $gte: since },
          'aside.actionId': actionId,
          'aside.reason': 'held',
          'aside.discardedAt': null,
          'aside.deliverAt': null,
          ...stored,
        })
        .limit(limit)
        .lean<MessageDocument[]>();
      return found.map(toRecord);
    },
    async findDeliverable(now, limit) {
      const found = await model
        .find({ 'aside.deliverAt': { $gt: new Date(0), $lte: now }, 'aside.discardedAt': null, ...stored })
        .sort({ 'aside.deliverAt': 1 })
        .limit(limit)
        .lean<MessageDocument[]>();
      return found.map(toRecord);
    },
    async listTags(userId, since, inbox, limit) {
      let isPast = false;
      const { found } = await readByIdRanges({
        async find(range, max) {
          if (isPast) return [];
          const inRange = await model
            .find({ userId: { $in: [userId, -userId] }, ...notDeleted, ...range }, { tags: 1, createdAt: 1 })
            .sort({ id: -1 })
            .limit(max)
            .lean<Pick<MessageDocument, 'tags' | 'createdAt'>[]>();
          isPast = inRange.some(({ createdAt }) => createdAt <= since);
          return inRange;
        },
        order: 'newest',
        limit,
        span: inbox.span,
        width: widthOf(inbox, LATEST),
      });
      return found.flatMap(({ tags, createdAt }) => (tags && createdAt > since ? tags : []));
    },
    async listSent(sender, { filter, words, without = [] }, extent, page) {
      const sent = {
        senderUserId: sender,
        hiddenFromSender: false,
        ...matching(filter),
        ...having(words),
        // What was set aside has the negative id.
        ...(without.length > 0 && { userId: { $nin: without.flatMap((id) => [id, -id]) } }),
      };
      // They stand where they stood before they were delivered, or their sender would learn that they were held.
      const delivered = await model
        .find({ ...notDeleted, ...sent, 'sentAs.id': { $gt: 0 } }, null, { hint: sentAsIndex })
        .limit(MAX_DELIVERED)
        .lean<MessageDocument[]>();
      const isNewest = page.order === 'newest';
      const { before = isNewest ? Infinity : 0 } = page;
      const moved = delivered
        .map((document) => asSent(toRecord(document)))
        .filter(({ id }) => (isNewest ? id < before : id > before));
      const others = await list({ ...sent, 'sentAs.id': null }, extent, page);
      return [...moved, ...others].sort((a, b) => (isNewest ? b.id - a.id : a.id - b.id)).slice(0, page.limit);
    },
    findSent: (id, sender) => findOne({ 'sentAs.id': id, senderUserId: sender, ...notDeleted }),
    async deliver(id, decide) {
      for (let tries = 0; tries < MAX_CHANGE_TRIES; tries += 1) {
        const current = await findOne({ id, ...stored });
        const decision = current && decide(current);
        if (current === null || decision === null) return;
        const { createdAt, sentAs = { id, at: createdAt }, revision } = current;
        const arrival = { id: await nextMessageId(), sentAs, createdAt: new Date() };
        const after: MessageRecord = { ...current, ...decision.set, ...arrival, revision: revision + 1 };
        const { $set, ...update } = toUpdate(current, decision.set);
        const events = withCounts(decision.events(changeOf(current, after)), countChanges(current, after));
        const { modifiedCount } = await model.updateOne(
          { id, revision, ...stored },
          { ...update, $set: { ...$set, ...arrival }, $push: { outbox: { $each: events } } },
        );
        if (modifiedCount === 1) return;
      }
      throw contended();
    },
    // By the index of senders: few accounts send as much as they receive.
    async countToSelf(userId, sender) {
      const toSelf = { userId, senderUserId: sender, hiddenFromSender: false, ...notDeleted };
      const found = await model.find(toSelf, { _id: 0, id: 1 }, { hint: sentIndex }).lean();
      return found.length;
    },
    async findReceivedBy(userId, limit) {
      const found = await model
        .find({ userId: { $in: [userId, -userId] }, ...stored })
        .limit(limit)
        .lean<MessageDocument[]>();
      return found.map(toRecord);
    },
    async findSentBy(sender, limit) {
      const found = await model
        .find({ senderUserId: sender, ...stored })
        .limit(limit)
        .lean<MessageDocument[]>();
      return found.map(toRecord);
    },
    async findFilesToWithhold(userId, isWithheld, limit) {
      const found = await model
        .find({
          userId,
          isPublic: true,
          isWithheld: isWithheld ? { $ne: true } : true,
          $or: [{ imageName: { $ne: null } }, { audio: { $ne: null } }],
          ...stored,
        })
        .sort({ id: 1 })
        .limit(limit)
        .lean<MessageDocument[]>();
      return found.map(toRecord);
    },
    async forgetSender(id, eventOf) {
      for (let tries = 0; tries < MAX_CHANGE_TRIES; tries += 1) {
        const current = await findOne({ id, ...stored });
        if (current?.sender == null) return;
        const { wayBack: _wayBack, tags, ...kept } = current;
        const forgotten = { sealedSender: null, revision: current.revision + 1 };
        const after: MessageRecord = { ...kept, ...forgotten, sender: null };
        const { modifiedCount } = await model.updateOne(
          { id, revision: current.revision, ...stored },
          {
            $set: { ...forgotten, senderUserId: null, ...(tags && { tags: { ...tags, account: null } }) },
            $unset: { wayBack: 1 },
            $push: { outbox: { $each: withCounts([eventOf(changeOf(current, after))], countChanges(current, after)) } },
          },
        );
        if (modifiedCount === 1) return;
      }
      throw contended();
    },
    async forgetRecipient(id, eventsOf) {
      for (let tries = 0; tries < MAX_CHANGE_TRIES; tries += 1) {
        const current = await findOne({ id, ...stored });
        if (current === null) return;
        const forgotten = {
          userId: NOBODY,
          isRead: false,
          isPublic: false,
          audio: null,
          reply: null,
          sealedSender: null,
          revision: current.revision + 1,
        };
        const after: MessageRecord = { ...keptForSender(current), ...forgotten, aside: null };
        const { modifiedCount } = await model.updateOne(
          { id, revision: current.revision, ...stored },
          {
            // The words of the reply go with it.
            $set: { ...forgotten, words: wordsOf(after) },
            $unset: notKeptForSender(Object.keys(forgotten)),
            $push: {
              outbox: { $each: withCounts(eventsOf(current, changeOf(current, after)), countChanges(current, after)) },
            },
          },
        );
        if (modifiedCount === 1) return;
      }
      throw contended();
    },
    hasTraceOf: async (userId, keys) =>
      (await model.exists({ userId: { $in: [userId, -userId] } })) !== null ||
      (await model.exists({ 'outbox.counts.userId': { $in: [...keys] } })) !== null,
    async findByFiles(names) {
      const found = await Promise.all([
        // The index has no messages without a picture; the second condition says so.
        model.find({ imageName: { $in: [...names], $gt: '' }, ...stored }).lean<MessageDocument[]>(),
        model.find({ 'audio.name': { $in: [...names] }, ...stored }).lean<MessageDocument[]>(),
      ]);
      return found.flat().map(toRecord);
    },
    async change(id, decide) {
      for (let tries = 0; tries < MAX_CHANGE_TRIES; tries += 1) {
        const current = await findOne({ id, ...stored });
        if (current === null) return null;
        const decision = decide(current);
        if (decision === null) return current;
        const set = withoutHiddenPin(current, decision.set);
        const after: MessageRecord = { ...current, ...set, revision: current.revision + 1 };
        const words = set.reply === undefined ? {} : { words: wordsOf(after) };
        if (await write(current, after, { ...set, ...words }, decision.events(changeOf(current, after)))) return after;
      }
      throw contended();
    },
    async remove(id, decide) {
      for (let tries = 0; tries < MAX_CHANGE_TRIES; tries += 1) {
        const current = await findOne({ id, ...stored });
        if (
          current === null ||
          (await write(
            current,
            null,
            { deletedAt: new Date(), content: '', reply: null, replacedReplies: [], words: [], pin: null },
            [decide(current)],
          ))
        )
          return;
      }
      throw contended();
    },
  };
}

/** `$nor`, since ranges of ids have a condition on `id` as well. */
const isLater = ({ emptiedAt, emptiedIds }: Emptied) => ({
  'aside.at': { $gt: emptiedAt },
  ...(emptiedIds.length > 0 && { $nor: [{ id: { $in: emptiedIds } }] }),
});

/** Takes the pin from a message that leaves the public page. If that can be taken back, the pin can too. */
function withoutHiddenPin(before: MessageRecord, set: MessageChange['set']): MessageChange['set'] {
  const after = { ...before, ...set };
  const { pin } = after;
  if (!pin || isPublished(after)) return set;
  return { ...set, pin: null, ...(set.undo && { undo: { ...set.undo, pin } }) };
}

/** Fields that a write sets: a change, or a deletion. */
type StoredChange = MessageChange['set'] & { deletedAt?: Date; content?: string; words?: string[] };

const toRecord = <Document extends MessageDocument>({ senderUserId, words: _, ...document }: Document) => ({
  ...document,
  userId: Math.abs(document.userId),
  sender: senderUserId ?? null,
  aside: document.aside ?? null,
});

function toDocument({ aside, sender: senderUserId, ...record }: MessageRecord): MessageDocument {
  const document = { ...record, senderUserId, words: wordsOf(record) };
  return aside === null ? document : { ...document, userId: -record.userId, aside };
}

/** Moving a message between the inbox and what is set aside changes the sign of `userId` with it. */
function toUpdate(
  { userId, revision }: MessageRecord,
  { aside, ...set }: StoredChange,
): mongo.UpdateFilter<MessageDocument> {
  const changed = { ...set, revision: revision + 1 };
  if (aside === undefined) return { $set: changed };
  return aside === null
    ? { $set: { ...changed, userId }, $unset: { aside: 1 } }
    : { $set: { ...changed, userId: -userId, aside } };
}

/** Fields that stay once the recipient is gone: those that the sender's list, retries and moderators need. */
const KEPT_FOR_SENDER = [
  ...(['id', 'sentAs', 'createdAt', 'sender', 'hiddenFromSender', 'content', 'imageName'] as const),
  ...(['submission', 'isReported', 'isWithheld', 'warnedAt'] as const),
] satisfies (keyof MessageRecord)[];

const keptForSender = (message: MessageRecord) =>
  Object.fromEntries(
    KEPT_FOR_SENDER.filter((field) => message[field] !== undefined).map((field) => [field, message[field]]),
  ) as Pick<MessageRecord, (typeof KEPT_FOR_SENDER)[number]>;

/** Every other stored field. @param set those that are overwritten instead */
function notKeptForSender(set: string[]): Record<string, 1> {
  const staying = new Set<string>(['_id', 'senderUserId', 'words', 'outbox', ...KEPT_FOR_SENDER, ...set]);
  return Object.fromEntries(STORED_FIELDS.filter((field) => !staying.has(field)).map((field) => [field, 1]));
}

export const contended = (): AppError =>
  new AppError({
    code: 'unavailable',
    message: 'The message is being changed by others. Try again shortly.',
    retryAfter: 1,
  });
