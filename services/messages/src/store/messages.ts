import { createBatcher } from '@najwa/common';
import type { OutboxEntry } from '@najwa/common/amqp';
import { AppError } from '@najwa/common/errors';
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
import type { Connection, mongo, QueryFilter } from 'mongoose';
import { countChanges, ledgerNote, withCounts, type CountRepository, type LedgerNote } from './counts.js';
import {
  changeOf,
  isLater,
  isPublished,
  messageSchema,
  NO_ACCOUNT,
  NOT_INDEXED,
  placeOf,
  wordsOf,
  type Conversation,
  type EarlierMessage,
  type MessageChange,
  type MessageDocument,
  type MessageRecord,
  type NewMessage,
} from './message-record.js';
import { CONFLICT, retryOnConflict } from './optimistic.js';

export interface IdPage {
  /** Last id of the previous page, in list order. */
  before: number | undefined;
  limit: number;
}

export interface Page extends IdPage {
  order: IdOrder;
}

/** Approximate size and id span. They choose the ranges to read, not the results. */
export interface ListExtent {
  count: number;
  span: IdSpan;
}

interface RangePart {
  filter: QueryFilter<MessageDocument>;
  hint: Readonly<Record<string, 1 | -1>>;
}

export interface Reading {
  /** Average number in the first range. */
  messages?: number;
  growth?: (found: number) => number;
  /** Restricts a range and chooses its index. Parts are read one after another. */
  refine?: (range: IdRange) => Promise<RangePart[]>;
  /** Average number to scan at most. Unlimited by default. */
  most?: number;
}

/** May be short although more follow. */
export interface PagePart {
  found: MessageRecord[];
  /** Cursor of the next part. Null at the end. */
  nextBefore: number | null;
}

const MESSAGES = 'messages';

/** Lists up to this length are read in one query. */
const SHORT_LIST = 200;

/** Pages that the first range spans on average, so that it usually suffices. */
const FIRST_RANGE_PAGES = 3;

export const receivedIndex = { userId: 1, id: -1 } as const;
export const wordsIndex = { userId: 1, words: 1, id: -1 } as const;
export const sentIndex = { senderUserId: 1, id: -1 } as const;
/** One message for each answer. */
const conversationIndex = { 'conversation.id': 1, 'conversation.turn': 1 } as const;

/** One sparse wildcard index: an index per field would cost every write, even where the field is missing. */
export const lookupIndex = { '$**': 1 } as const;

const LOOKUPS = [
  ...['aside.at', 'aside.deliverAt', 'audio.name', 'imageName', 'outbox.at', 'outbox.counts.userId'],
  ...['pin.owner', 'sentAs.id', 'undo.until', 'wayBack'],
];

export const stored = { deletedAt: null };

/** Also excludes deletions that can be undone. */
export const notDeleted = { ...stored, 'aside.reason': { $ne: 'deleted' as const } };

export const shownAside = (userId: number): QueryFilter<MessageDocument> => ({
  userId: -userId,
  'aside.discardedAt': null,
  'aside.reason': { $in: ['blocked', 'filtered'] },
});

/** Ids that span `messages` messages on average. */
export const widthOf = ({ count, span }: ListExtent, messages: number): number =>
  count <= SHORT_LIST ? Infinity : Math.ceil(((span.last - span.first + 1) / count) * messages);

type Decide<Decision> = (current: MessageRecord) => Decision | null;

export interface Rewrite {
  after: MessageRecord | null;
  update: mongo.UpdateFilter<MessageDocument>;
  events: OutboxEntry[];
  ledger?: LedgerNote | undefined;
}

export interface InboxState {
  userId: number;
  isRead: boolean;
  /** False if set aside or if the recipient is deleted. */
  isInInbox: boolean;
}

export class StoredMessages {
  readonly model;

  constructor(connection: Connection) {
    this.model = connection.model('Message', messageSchema);
  }

  async findOne(filter: QueryFilter<MessageDocument>): Promise<MessageRecord | null> {
    const found = await this.model.findOne(filter).lean<MessageDocument>();
    return found && toRecord(found);
  }
  async find(
    filter: QueryFilter<MessageDocument>,
    options: { limit?: number; sort?: Record<string, 1 | -1>; hint?: Record<string, 1 | -1> } = {},
  ): Promise<MessageRecord[]> {
    const found = await this.model.find(filter, null, options).lean<MessageDocument[]>();
    return found.map(toRecord);
  }
  async listPart(
    filter: QueryFilter<MessageDocument>,
    extent: ListExtent,
    { order, before, limit }: Page,
    { messages = limit * FIRST_RANGE_PAGES, growth, refine, most }: Reading = {},
  ): Promise<PagePart> {
    const { found, nextBefore } = await readByIdRanges({
      find: async (range, max) => {
        const parts = (await refine?.(range)) ?? [undefined];
        // A message may move between parts meanwhile and appear in both.
        const byId = new Map<number, MessageDocument>();
        for (const part of parts) {
          const found = await this.model
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
  }
  async list(...request: Parameters<StoredMessages['listPart']>): Promise<MessageRecord[]> {
    return (await this.listPart(...request)).found;
  }
  /**
   * Optimistic locking: `decide` runs again after a conflict.
   * @param decide returns null for no change
   * @returns the message afterwards, null if there is none
   */
  rewrite(id: number, decide: Decide<Rewrite> | Decide<Promise<Rewrite | null>>): Promise<MessageRecord | null> {
    return retryOnConflict('The message is', async () => {
      const before = await this.findOne({ id, ...stored });
      if (before === null) return null;
      const decision = await decide(before);
      if (decision === null) return before;
      const { filter, update } = writeOf(before, decision);
      const { modifiedCount } = await this.model.updateOne(filter, update);
      return modifiedCount === 1 ? decision.after : CONFLICT;
    });
  }
  /** In one command. @returns the messages afterwards, null if another write came first */
  async rewriteEach(found: MessageRecord[], decide: Decide<Rewrite>): Promise<MessageRecord[] | null> {
    const decided = found.map((before) => ({ before, decision: decide(before) }));
    const writes = decided.flatMap(({ before, decision }) =>
      decision === null ? [] : [{ updateOne: writeOf(before, decision) }],
    );
    const isWhole =
      writes.length === 0 ||
      (await retryOnDeadlock(() => this.model.bulkWrite(writes, { ordered: false }))).modifiedCount === writes.length;
    return isWhole ? decided.flatMap(({ before, decision }) => (decision ?? { after: before }).after ?? []) : null;
  }
}

const UNREAD = { hiddenFromSender: false, isRead: false, isPublic: false, revision: 1, reply: null };

const writeOf = (before: MessageRecord, { after, update, events, ledger }: Rewrite) => ({
  filter: { id: before.id, revision: before.revision, ...stored },
  update: { ...update, $push: { outbox: { $each: withCounts(events, countChanges(before, after), ledger) } } },
});

export class MessageRepository {
  readonly collection;
  readonly #messages;
  readonly #counts;
  readonly #nextMessageId;
  /** Includes tombstones: a retry must not resend a deleted message. */
  readonly findBySubmission = createBatcher<string, EarlierMessage | null>({
    runBatch: async (keys) => {
      const found = await this.#messages.model.find({ 'submission.key': { $in: keys } }).lean<MessageDocument[]>();
      const byKey = new Map(found.map((message) => [message.submission.key, toRecord(message)]));
      return keys.map((key) => byKey.get(key) ?? null);
    },
  });
  /** Batches concurrent reads. */
  readonly findInboxState = createBatcher<number, InboxState | null>({
    runBatch: async (ids) => {
      const found = await this.#messages.model
        .find({ id: { $in: [...new Set(ids)] }, ...stored }, { _id: 0, id: 1, userId: 1, isRead: 1 })
        .lean<Pick<MessageDocument, 'id' | 'userId' | 'isRead'>[]>();
      const byId = new Map(found.map((message) => [message.id, message]));
      return ids.map((id) => {
        const message = byId.get(id);
        if (message === undefined) return null;
        return { userId: Math.abs(message.userId), isRead: message.isRead, isInInbox: message.userId > NO_ACCOUNT };
      });
    },
  });
  /**
   * A message and those that follow it, in order. Includes deletions that can be undone.
   * @param wayBack hash of the token
   */
  readonly findByWayBack = createBatcher<string, MessageRecord[]>({
    runBatch: async (wayBacks) => {
      const found = inOrder(await this.#messages.find({ wayBack: { $in: [...new Set(wayBacks)] }, ...stored }));
      return wayBacks.map((wayBack) => {
        const turns = found.filter((message) => message.wayBack === wayBack);
        // Two people at one device may derive the same token for the same text.
        return turns.filter((message) => turns[0] && placeOf(message).id === placeOf(turns[0]).id);
      });
    },
  });
  readonly #insertDocument = createBatcher<MessageDocument, undefined>({
    runBatch: (documents) => insertEach(this.#messages.model.collection, documents),
  });

  constructor(connection: Connection, messages: StoredMessages, counts: CountRepository) {
    this.#messages = messages;
    this.#counts = counts;
    this.#nextMessageId = createIdGenerator(connection, MESSAGES);
    this.collection = messages.model.collection;
  }

  prepare(): Promise<void> {
    return ensureIndexes(this.#messages.model.db, MESSAGES, [
      { key: { id: 1 }, name: 'id', unique: true },
      { key: { 'submission.key': 1 }, name: 'submission_key', unique: true },
      { key: receivedIndex, name: 'received' },
      { key: wordsIndex, name: 'received_by_word' },
      { key: { userId: 1, isRead: 1, id: -1 }, name: 'received_by_read' },
      { key: { userId: 1, isPublic: 1, id: -1 }, name: 'received_by_public' },
      { key: sentIndex, name: 'sent' },
      { key: conversationIndex, name: 'conversation', unique: true, sparse: true },
      {
        key: lookupIndex,
        name: 'lookups',
        wildcardProjection: Object.fromEntries(LOOKUPS.map((field) => [field, 1])),
      },
    ]);
  }
  /**
   * @returns the new message, or that of an earlier try of this submission
   * @throws {AppError} `not_your_turn` if another one took its place in the conversation
   */
  async insert(
    message: NewMessage,
    eventsOf: (message: MessageRecord) => Promise<OutboxEntry[]>,
  ): Promise<{ message: EarlierMessage; isNew: boolean }> {
    const record: MessageRecord = { ...message, id: await this.#nextMessageId(), ...UNREAD };
    const outbox = withCounts(await eventsOf(record), countChanges(null, record));
    try {
      const isIndexed = this.#counts.isLong(record.userId);
      await retryOnDeadlock(() => this.#insertDocument({ ...toDocument(record, isIndexed), outbox }));
      return { message: record, isNew: true };
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      const earlier = await this.findBySubmission(message.submission.key);
      if (earlier === null && message.conversation) throw notYourTurn();
      if (earlier === null) throw error;
      return { message: earlier, isNew: false };
    }
  }
  find(id: number): Promise<MessageRecord | null> {
    return this.#messages.findOne({ id, ...notDeleted });
  }
  // The stored order depends on who wrote.
  findEach(ids: number[]): Promise<MessageRecord[]> {
    return ids.length === 0
      ? Promise.resolve([])
      : this.#messages.find({ id: { $in: ids }, ...notDeleted }, { sort: { id: -1 } });
  }
  /** Like `findByWayBack`, by the id of the first message. */
  async findConversation(id: number): Promise<MessageRecord[]> {
    const [first, others] = await Promise.all([
      this.#messages.findOne({ id, ...stored }),
      this.#messages.find({ 'conversation.id': id, id: { $ne: id }, ...stored }, { hint: conversationIndex }),
    ]);
    return inOrder(first ? [first, ...others] : others);
  }
  /** A delivered message by its original id. */
  findSent(id: number, sender: string): Promise<MessageRecord | null> {
    return this.#messages.findOne({ 'sentAs.id': id, senderUserId: sender, ...notDeleted });
  }
  /** Like `rewrite`. Unpublishing also unpins. */
  change(id: number, decide: Decide<MessageChange>): Promise<MessageRecord | null> {
    return this.#messages.rewrite(id, (current) => rewriteOf(current, decide(current)));
  }
  /** Like `change`, of many at once. @returns the messages afterwards */
  async changeEach(found: MessageRecord[], decide: Decide<MessageChange>): Promise<MessageRecord[]> {
    const after = await this.#messages.rewriteEach(found, (current) => rewriteOf(current, decide(current)));
    return after ?? (await Promise.all(found.map(({ id }) => this.change(id, decide)))).filter((one) => one !== null);
  }
  /** Releases a message with a new id and time. @returns false if it was before */
  async deliver(id: number, decide: Decide<MessageChange>): Promise<boolean> {
    const delivered = await this.#messages.rewrite(id, async (current) => {
      const decision = decide(current);
      if (decision === null) return null;
      const { createdAt, conversation, revision } = current;
      const { sentAs = { id: isLater(current) ? -id : id, at: createdAt } } = current;
      const newId = await this.#nextMessageId();
      const arrival = {
        id: newId,
        sentAs,
        createdAt: new Date(),
        ...(conversation?.id === id && { conversation: { ...conversation, id: newId } }),
      };
      const after: MessageRecord = { ...current, ...decision.set, ...arrival, revision: revision + 1 };
      const { $set, ...update } = toUpdate(current, decision.set);
      return {
        after,
        update: { ...update, $set: { ...$set, ...arrival } },
        events: decision.events(changeOf(current, after)),
      };
    });
    return delivered !== null && delivered.id !== id;
  }
  /** Deletes the text at once, the rest once its events are published. `decide` may refuse by throwing. */
  async remove(id: number, decide: (message: MessageRecord) => OutboxEntry[]): Promise<void> {
    await this.#messages.rewrite(id, (current) => ({
      after: null,
      update: toUpdate(current, {
        deletedAt: new Date(),
        content: '',
        reply: null,
        replacedReplies: [],
        words: [],
        pin: null,
        // Its sender may write another one.
        ...(current.conversation && { conversation: undefined }),
      }),
      events: decide(current),
      ledger: ledgerNote(current, null),
    }));
  }
}

function rewriteOf(current: MessageRecord, decision: MessageChange | null): Rewrite | null {
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
}

/** Unpins a message that leaves the public page, restorably if the change has an undo. */
function withoutHiddenPin(before: MessageRecord, set: MessageChange['set']): MessageChange['set'] {
  const after = { ...before, ...set };
  const { pin } = after;
  if (!pin || isPublished(after)) return set;
  return { ...set, pin: null, ...(set.undo && { undo: { ...set.undo, pin } }) };
}

const inOrder = (messages: MessageRecord[]): MessageRecord[] =>
  messages.sort((a, b) => placeOf(a).turn - placeOf(b).turn || a.id - b.id);

export const notYourTurn = (): AppError =>
  new AppError({ code: 'not_your_turn', message: 'The last message has no answer yet.' });

type StoredChange = Omit<MessageChange['set'], 'conversation'> & {
  conversation?: Conversation | undefined;
  deletedAt?: Date;
  content?: string;
  words?: string[];
};

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

/** The sign of `userId` follows `aside`. */
function toUpdate(
  { userId, revision }: MessageRecord,
  { aside, ...set }: StoredChange,
): mongo.UpdateFilter<MessageDocument> {
  const place = aside === undefined ? {} : { userId: aside === null ? userId : -userId };
  const removed = [
    ...(aside === null ? ['aside'] : []),
    ...(set.words ? ['unindexedWords'] : []),
    ...Object.entries(set).flatMap(([field, value]) => (value === undefined ? [field] : [])),
  ];
  const $unset = Object.fromEntries(removed.map((field) => [field, 1 as const]));
  const kept = Object.fromEntries(Object.entries(set).filter(([, value]) => value !== undefined));
  return {
    $set: { ...kept, revision: revision + 1, ...place, ...(aside && { aside }) },
    ...(Object.keys($unset).length > 0 && { $unset }),
  };
}
