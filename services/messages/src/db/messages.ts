import {
  retryOnDeadlock,
  AppError,
  createBatcher,
  createIdGenerator,
  ensureIndexes,
  insertEach,
  isDuplicateKey,
  nextId,
  outboxIndex,
  readByIdRanges,
  type IdOrder,
  type IdSpan,
  type OutboxEntry,
} from '@najwa/common';
import type { Connection, mongo, QueryFilter } from 'mongoose';
import { countChanges, pendingCountsIndex, withCounts } from './counts.js';
import {
  messageSchema,
  type EarlierMessage,
  type MessageChange,
  type MessageDocument,
  type MessageRecord,
  type NewMessage,
  type ReadFilter,
  type ReceivedFilter,
} from './message-record.js';

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

const COLLECTION = 'messages';
const MAX_CHANGE_TRIES = 10;

/** A list up to this length is read without ranges. */
const SHORT_LIST = 200;

/** The first range of a long list spans this many pages on average, so that it usually suffices. */
const FIRST_RANGE_PAGES = 3;

export interface MessageRepository {
  collection: mongo.Collection;
  prepare(): Promise<void>;
  nextReplyId(): Promise<number>;
  /** Finds tombstones too: a retry must not send a deleted message again. */
  findBySubmission(key: string): Promise<EarlierMessage | null>;
  /** @returns the new message, or the one that an earlier try of this submission created */
  insert(
    message: NewMessage,
    eventsOf: (message: MessageRecord) => OutboxEntry[],
  ): Promise<{ message: EarlierMessage; isNew: boolean }>;
  find(id: number): Promise<MessageRecord | null>;
  listReceived(userId: number, filter: ReceivedFilter, extent: ListExtent, page: Page): Promise<MessageRecord[]>;
  listSent(senderUserId: number, filter: ReadFilter, extent: ListExtent, page: Page): Promise<MessageRecord[]>;
  /**
   * Changes a message with optimistic locking: decides again when another write came first.
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
  const nextMessageId = createIdGenerator(connection, COLLECTION);
  const notDeleted = { deletedAt: null };
  const find = (id: number): Promise<MessageRecord | null> =>
    model.findOne({ id, ...notDeleted }).lean<MessageRecord>();

  const findBySubmission = createBatcher<string, EarlierMessage | null>({
    runBatch: async (keys) => {
      const found = await model.find({ 'submission.key': { $in: keys } }).lean<MessageDocument[]>();
      const byKey = new Map(found.map((message) => [message.submission.key, message]));
      return keys.map((key) => byKey.get(key) ?? null);
    },
  });

  const insertDocument = createBatcher<MessageDocument, undefined>({
    runBatch: (documents) => insertEach(model.collection, documents),
  });

  const list = async (
    filter: QueryFilter<MessageDocument>,
    { count, span }: ListExtent,
    { order, before, limit }: Page,
  ): Promise<MessageRecord[]> => {
    const { found } = await readByIdRanges({
      find: (range, max) =>
        model
          .find({ ...filter, ...notDeleted, ...range })
          .sort({ id: order === 'newest' ? -1 : 1 })
          .limit(max)
          .lean<MessageRecord[]>(),
      order,
      before,
      limit,
      span,
      width:
        count <= SHORT_LIST ? Infinity : Math.ceil(((span.last - span.first + 1) / count) * limit * FIRST_RANGE_PAGES),
    });
    return found;
  };

  const matching = (filter: ReceivedFilter): QueryFilter<MessageDocument> => {
    if (filter === 'all') return {};
    return filter === 'public' ? { isPublic: true } : { isRead: filter === 'read' };
  };

  /** @returns false when another write came first */
  const write = async (
    before: MessageRecord,
    after: MessageRecord | null,
    set: mongo.UpdateFilter<MessageDocument>['$set'],
    events: OutboxEntry[],
  ): Promise<boolean> => {
    const { modifiedCount } = await model.updateOne(
      { id: before.id, revision: before.revision, ...notDeleted },
      {
        $set: { ...set, revision: before.revision + 1 },
        $push: { outbox: { $each: withCounts(events, countChanges(before, after)) } },
      },
    );
    return modifiedCount === 1;
  };

  return {
    collection: model.collection,
    prepare: () =>
      ensureIndexes(connection, COLLECTION, [
        { key: { id: 1 }, name: 'id', unique: true },
        { key: { 'submission.key': 1 }, name: 'submission_key', unique: true },
        { key: { userId: 1, id: -1 }, name: 'received' },
        { key: { userId: 1, isRead: 1, id: -1 }, name: 'received_by_read' },
        { key: { userId: 1, isPublic: 1, id: -1 }, name: 'received_by_public' },
        { key: { senderUserId: 1, id: -1 }, name: 'sent' },
        outboxIndex,
        pendingCountsIndex,
      ]),
    nextReplyId: () => nextId(connection, 'replies'),
    findBySubmission,
    async insert(message, eventsOf) {
      const id = await nextMessageId();
      const record: MessageRecord = {
        ...message,
        id,
        hiddenFromSender: false,
        isRead: false,
        isPublic: false,
        createdAt: new Date(),
        revision: 1,
        reply: null,
      };
      try {
        await retryOnDeadlock(() =>
          insertDocument({ ...record, outbox: withCounts(eventsOf(record), countChanges(null, record)) }),
        );
        return { message: record, isNew: true };
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        const earlier = await findBySubmission(message.submission.key);
        if (earlier === null) throw error;
        return { message: earlier, isNew: false };
      }
    },
    find,
    listReceived: (userId, filter, extent, page) => list({ userId, ...matching(filter) }, extent, page),
    listSent: (senderUserId, filter, extent, page) =>
      list({ senderUserId, hiddenFromSender: false, ...matching(filter) }, extent, page),
    async change(id, decide) {
      for (let tries = 0; tries < MAX_CHANGE_TRIES; tries += 1) {
        const current = await find(id);
        if (current === null) return null;
        const decision = decide(current);
        if (decision === null) return current;
        const after: MessageRecord = { ...current, ...decision.set, revision: current.revision + 1 };
        if (await write(current, after, decision.set, decision.events(after))) return after;
      }
      throw contended();
    },
    async remove(id, decide) {
      for (let tries = 0; tries < MAX_CHANGE_TRIES; tries += 1) {
        const current = await find(id);
        if (
          current === null ||
          (await write(current, null, { deletedAt: new Date(), content: '', reply: null, replacedReplies: [] }, [
            decide(current),
          ]))
        )
          return;
      }
      throw contended();
    },
  };
}

const contended = (): AppError =>
  new AppError({
    code: 'unavailable',
    message: 'The message is being changed by others. Try again shortly.',
    retryAfter: 1,
  });
