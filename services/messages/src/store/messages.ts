import { createBatcher } from '@najwa/common';
import type { OutboxEntry } from '@najwa/common/amqp';
import {
  createIdGenerator,
  ensureIndexes,
  insertEach,
  isDuplicateKey,
  readByIdRanges,
  retryOnDeadlock,
  type IdOrder,
  type IdRange,
  type IdSpan,
} from '@najwa/common/mongo';
import type { Connection, Model, mongo, QueryFilter } from 'mongoose';
import { countChanges, ledgerNote, withCounts, type CountRepository, type LedgerNote } from './counts.js';
import {
  changeOf,
  isPublished,
  messageSchema,
  NOBODY,
  NOT_INDEXED,
  wordsOf,
  type EarlierMessage,
  type MessageChange,
  type MessageDocument,
  type MessageRecord,
  type NewMessage,
} from './message-record.js';
import { CONFLICT, retryOnConflict } from './optimistic.js';

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

interface RangePart {
  filter: QueryFilter<MessageDocument>;
  hint: Readonly<Record<string, 1 | -1>>;
}

/** Rules for reading the ranges of a long list. */
export interface Reading {
  /** In the first range, on average. */
  messages?: number;
  growth?: (found: number) => number;
  /** Adds to the filter of a range, and chooses the index. Of several parts each is read after the one before it. */
  refine?: (range: IdRange) => Promise<RangePart[]>;
  /** To look through, on average. All by default. */
  most?: number;
}

type ListRequest = [filter: QueryFilter<MessageDocument>, extent: ListExtent, page: Page, reading?: Reading];

/** A page that may be short although there are more. */
export interface PagePart {
  found: MessageRecord[];
  /** For the part after this one. Null at the end of the list. */
  nextBefore: number | null;
}

const MESSAGES = 'messages';

/** A list up to this length is read without ranges. */
const SHORT_LIST = 200;

/** The first range of a long list spans this many pages on average, so that it usually suffices. */
const FIRST_RANGE_PAGES = 3;

export const receivedIndex = { userId: 1, id: -1 } as const;
export const wordsIndex = { userId: 1, words: 1, id: -1 } as const;
export const sentIndex = { senderUserId: 1, id: -1 } as const;

/**
 * Has an entry for each of `LOOKUPS` that a message has. With an index for each field, a write would pay for every one of them,
 * also where the message lacks it.
 */
export const lookupIndex = { '$**': 1 } as const;

const LOOKUPS = [
  ...['aside.at', 'aside.deliverAt', 'audio.name', 'imageName', 'outbox.at', 'outbox.counts.userId'],
  ...['pin.owner', 'sentAs.id', 'undo.until', 'wayBack'],
];

/** Leaves out tombstones. */
export const stored = { deletedAt: null };

/** Also leaves out messages whose deletion can be taken back. */
export const notDeleted = { ...stored, 'aside.reason': { $ne: 'deleted' as const } };

/** Messages that their recipient finds in the folder of those that were set aside. */
export const shownAside = (userId: number): QueryFilter<MessageDocument> => ({
  userId: -userId,
  'aside.discardedAt': null,
  'aside.reason': { $in: ['blocked', 'filtered'] },
});

/** Number of ids that hold so many messages of a list on average. */
export const widthOf = ({ count, span }: ListExtent, messages: number): number =>
  count <= SHORT_LIST ? Infinity : Math.ceil(((span.last - span.first + 1) / count) * messages);

/** A write of a message, with the events of the same write. */
export interface Rewrite {
  /** Null for a deletion. */
  after: MessageRecord | null;
  update: mongo.UpdateFilter<MessageDocument>;
  events: OutboxEntry[];
  ledger?: LedgerNote | undefined;
}

/** The collection of messages, for what a subject reads and writes in its own way. */
export interface StoredMessages {
  model: Model<MessageDocument>;
  findOne: (filter: QueryFilter<MessageDocument>) => Promise<MessageRecord | null>;
  find: (
    filter: QueryFilter<MessageDocument>,
    options?: { limit?: number; sort?: Record<string, 1 | -1>; hint?: Record<string, 1 | -1> },
  ) => Promise<MessageRecord[]>;
  /** A page of messages that are not deleted, in the order of their ids. */
  list: (...request: ListRequest) => Promise<MessageRecord[]>;
  listPart: (...request: ListRequest) => Promise<PagePart>;
  /**
   * Writes what follows from a message as it is now: decides again when another write came first.
   * @param decide returns null for no change
   * @returns the message after it, null if there is none
   */
  rewrite: (
    id: number,
    decide: (current: MessageRecord) => Rewrite | null | Promise<Rewrite | null>,
  ) => Promise<MessageRecord | null>;
}

/** The state of a message in its recipient's inbox. */
export interface InboxState {
  userId: number;
  isRead: boolean;
  /** False if it is set aside, or if its recipient's account is gone. */
  isInInbox: boolean;
}

/** Reads and writes of single messages. */
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
  findEach(ids: number[]): Promise<MessageRecord[]>;
  /** @param wayBack hash of the token */
  findByWayBack(wayBack: string): Promise<MessageRecord | null>;
  /** State for notifications. Questions that come at once share a read. */
  findInboxState(id: number): Promise<InboxState | null>;
  /** A message of an account by the id that it had before it was delivered. */
  findSent(id: number, sender: string): Promise<MessageRecord | null>;
  /**
   * Changes a message with optimistic locking: decides again when another write came first. A message that is no longer
   * on the public page is no longer pinned.
   * @param decide returns null when there is nothing to change
   * @returns the message after the change, or null when there is none
   */
  change(id: number, decide: (message: MessageRecord) => MessageChange | null): Promise<MessageRecord | null>;
  /**
   * Changes a held message, and gives it the id and the time of a new one.
   * @param decide as in `change`
   */
  deliver(id: number, decide: (message: MessageRecord) => MessageChange | null): Promise<void>;
  /**
   * Deletes a message: its text at once, the rest when its events are published.
   * @param decide may refuse by throwing
   */
  remove(id: number, decide: (message: MessageRecord) => OutboxEntry[]): Promise<void>;
}

export function openMessages(connection: Connection): StoredMessages {
  const model = connection.model('Message', messageSchema);
  const findOne = async (filter: QueryFilter<MessageDocument>): Promise<MessageRecord | null> => {
    const found = await model.findOne(filter).lean<MessageDocument>();
    return found && toRecord(found);
  };

  const listPart: StoredMessages['listPart'] = async (
    filter,
    extent,
    { order, before, limit },
    { messages = limit * FIRST_RANGE_PAGES, growth, refine, most } = {},
  ) => {
    const { found, nextBefore } = await readByIdRanges({
      async find(range, max) {
        const parts = (await refine?.(range)) ?? [undefined];
        // A message may go from one part to the next meanwhile, and is in both then.
        const byId = new Map<number, MessageDocument>();
        for (const part of parts) {
          const found = await model
            .find({ ...notDeleted, ...filter, ...part?.filter, ...range }, null, part && { hint: part.hint })
            .sort({ id: order === 'newest' ? -1 : 1 })
            .limit(max)
            .lean<MessageDocument[]>();
          for (const message of found) byId.set(message.id, message);
        }
        const sorted = [...byId.values()].sort((a, b) => (order === 'newest' ? b.id - a.id : a.id - b.id));
        return sorted.slice(0, max);
      },
      order,
      before,
      limit,
      span: extent.span,
      width: widthOf(extent, messages),
      ...(growth && { growth }),
      ...(most !== undefined && { maxIds: widthOf(extent, most) }),
    });
    return { found: found.map(toRecord), nextBefore };
  };

  return {
    model,
    findOne,
    async find(filter, options = {}) {
      const found = await model.find(filter, null, options).lean<MessageDocument[]>();
      return found.map(toRecord);
    },
    listPart,
    list: async (...request) => (await listPart(...request)).found,
    rewrite: (id, decide) =>
      retryOnConflict('The message is', async () => {
        const before = await findOne({ id, ...stored });
        if (before === null) return null;
        const decision = await decide(before);
        if (decision === null) return before;
        const { after, update, events, ledger } = decision;
        const outbox = withCounts(events, countChanges(before, after), ledger);
        const { modifiedCount } = await model.updateOne(
          { id, revision: before.revision, ...stored },
          { ...update, $push: { outbox: { $each: outbox } } },
        );
        return modifiedCount === 1 ? after : CONFLICT;
      }),
  };
}

export function createMessageRepository(
  connection: Connection,
  { model, findOne, find, rewrite }: StoredMessages,
  { isLong }: Pick<CountRepository, 'isLong'>,
): MessageRepository {
  const nextMessageId = createIdGenerator(connection, MESSAGES);

  const findBySubmission = createBatcher<string, EarlierMessage | null>({
    runBatch: async (keys) => {
      const found = await model.find({ 'submission.key': { $in: keys } }).lean<MessageDocument[]>();
      const byKey = new Map(found.map((message) => [message.submission.key, toRecord(message)]));
      return keys.map((key) => byKey.get(key) ?? null);
    },
  });

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

  const insertDocument = createBatcher<MessageDocument, undefined>({
    runBatch: (documents) => insertEach(model.collection, documents),
  });

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
        {
          key: lookupIndex,
          name: 'lookups',
          wildcardProjection: Object.fromEntries(LOOKUPS.map((field) => [field, 1])),
        },
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
        await retryOnDeadlock(() => insertDocument({ ...toDocument(record, isLong(record.userId)), outbox }));
        return { message: record, isNew: true };
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        const earlier = await findBySubmission(message.submission.key);
        if (earlier === null) throw error;
        return { message: earlier, isNew: false };
      }
    },
    find: (id) => findOne({ id, ...notDeleted }),
    findEach: (ids) => (ids.length === 0 ? Promise.resolve([]) : find({ id: { $in: ids }, ...notDeleted })),
    findByWayBack: (wayBack) => findOne({ wayBack, ...notDeleted }),
    findInboxState,
    findSent: (id, sender) => findOne({ 'sentAs.id': id, senderUserId: sender, ...notDeleted }),
    change: (id, decide) =>
      rewrite(id, (current) => {
        const decision = decide(current);
        if (decision === null) return null;
        const set = withoutHiddenPin(current, decision.set);
        const after: MessageRecord = { ...current, ...set, revision: current.revision + 1 };
        const words = set.reply === undefined ? {} : { words: wordsOf(after) };
        return {
          after,
          update: toUpdate(current, { ...set, ...words }),
          events: decision.events(changeOf(current, after)),
          ledger: ledgerNote(current, after),
        };
      }),
    async deliver(id, decide) {
      await rewrite(id, async (current) => {
        const decision = decide(current);
        if (decision === null) return null;
        const { createdAt, sentAs = { id, at: createdAt }, revision } = current;
        const arrival = { id: await nextMessageId(), sentAs, createdAt: new Date() };
        const after: MessageRecord = { ...current, ...decision.set, ...arrival, revision: revision + 1 };
        const { $set, ...update } = toUpdate(current, decision.set);
        return {
          after,
          update: { ...update, $set: { ...$set, ...arrival } },
          events: decision.events(changeOf(current, after)),
        };
      });
    },
    async remove(id, decide) {
      await rewrite(id, (current) => ({
        after: null,
        update: toUpdate(current, {
          deletedAt: new Date(),
          content: '',
          reply: null,
          replacedReplies: [],
          words: [],
          pin: null,
        }),
        events: decide(current),
        ledger: ledgerNote(current, null),
      }));
    },
  };
}

/** Takes the pin from a message that leaves the public page. If that can be taken back, the pin can too. */
function withoutHiddenPin(before: MessageRecord, set: MessageChange['set']): MessageChange['set'] {
  const after = { ...before, ...set };
  const { pin } = after;
  if (!pin || isPublished(after)) return set;
  return { ...set, pin: null, ...(set.undo && { undo: { ...set.undo, pin } }) };
}

/** Fields that a write sets: a change, or a deletion. */
type StoredChange = MessageChange['set'] & { deletedAt?: Date; content?: string; words?: string[] };

const toRecord = <Document extends MessageDocument>({
  senderUserId,
  words: _words,
  unindexedWords: _unindexed,
  ...document
}: Document) => ({
  ...document,
  userId: Math.abs(document.userId),
  sender: senderUserId ?? null,
  aside: document.aside ?? null,
});

function toDocument({ aside, sender: senderUserId, ...record }: MessageRecord, isIndexed: boolean): MessageDocument {
  const words = wordsOf(record);
  const document = {
    ...record,
    senderUserId,
    ...(isIndexed ? { words } : { words: [NOT_INDEXED], unindexedWords: words }),
  };
  return aside === null ? document : { ...document, userId: -record.userId, aside };
}

/** Moving a message between the inbox and what is set aside changes the sign of `userId` with it. */
function toUpdate(
  { userId, revision }: MessageRecord,
  { aside, ...set }: StoredChange,
): mongo.UpdateFilter<MessageDocument> {
  const place = aside === undefined ? {} : { userId: aside === null ? userId : -userId };
  const $unset = { ...(aside === null && { aside: 1 as const }), ...(set.words && { unindexedWords: 1 as const }) };
  return {
    $set: { ...set, revision: revision + 1, ...place, ...(aside && { aside }) },
    ...(Object.keys($unset).length > 0 && { $unset }),
  };
}
