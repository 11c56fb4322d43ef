import { ensureIndexes, isDuplicateKey, nextId, outboxIndex, type OutboxEntry, type Submission, type WithOutbox } from '@najwa/common';
import { Schema, type Connection, type mongo, type QueryFilter } from 'mongoose';

export interface ReplyRecord {
  id: number;
  content: string;
  createdAt: Date;
  submission: Submission;
}

export interface MessageRecord {
  id: number;
  /** The recipient. */
  userId: number;
  /** Never leaves this service but to the sender. */
  senderUserId: number | null;
  hiddenFromSender: boolean;
  content: string;
  isRead: boolean;
  isPublic: boolean;
  imageName: string | null;
  createdAt: Date;
  /** Counts up by one with every change that others hear of. */
  revision: number;
  /** It rides in the message, so that saving it, marking the message as read and telling of both is one write. */
  reply: ReplyRecord | null;
  submission: Submission;
}

export type NewMessage = Pick<MessageRecord, 'userId' | 'senderUserId' | 'content' | 'imageName' | 'submission'>;

/** What a change sets, and the events that it causes. */
export interface MessageChange {
  set: Partial<Pick<MessageRecord, 'isRead' | 'isPublic' | 'reply'>>;
  events: (after: MessageRecord) => OutboxEntry[];
}

export type ListOrder = 'newest' | 'oldest';

export interface Page {
  order: ListOrder;
  /** Id of the last message of the page before, in the list's own order. */
  before: number | undefined;
  limit: number;
}

export type ReceivedFilter = 'all' | 'unread' | 'read' | 'public';

export interface MessageCounts {
  received: number;
  sent: number;
  read: number;
  unread: number;
}

interface MessageDocument extends MessageRecord, WithOutbox {}

const COLLECTION = 'messages';
const MAX_CHANGE_TRIES = 10;

const submission = { key: String, content: String };

const schema = new Schema<MessageDocument>(
  {
    id: Number,
    userId: Number,
    senderUserId: Number,
    hiddenFromSender: Boolean,
    content: String,
    isRead: Boolean,
    isPublic: Boolean,
    imageName: String,
    createdAt: Date,
    revision: Number,
    reply: { type: new Schema<ReplyRecord>({ id: Number, content: String, createdAt: Date, submission }, { _id: false, id: false }), default: null },
    submission,
    deletedAt: Date,
    outbox: [{ _id: false, id: String, at: Date, body: String }],
  },
  { collection: COLLECTION, id: false, versionKey: false },
);

export interface MessageRepository {
  collection: mongo.Collection;
  prepare(): Promise<void>;
  nextReplyId(): Promise<number>;
  findBySubmission(key: string): Promise<MessageRecord | null>;
  /** @returns the new message, or the one that this submission made before */
  insert(message: NewMessage, eventsOf: (message: MessageRecord) => OutboxEntry[]): Promise<{ message: MessageRecord; isNew: boolean }>;
  find(id: number): Promise<MessageRecord | null>;
  findByIds(ids: number[]): Promise<MessageRecord[]>;
  listReceived(userId: number, filter: ReceivedFilter, page: Page): Promise<MessageRecord[]>;
  listSent(senderUserId: number, page: Page): Promise<MessageRecord[]>;
  counts(userId: number): Promise<MessageCounts>;
  countPublic(userId: number): Promise<number>;
  /**
   * Changes a message that nobody else changed in between; else decides again from what stands now.
   * @param decide returns null when there is nothing to change
   * @returns the message as it stands after, or null when there is none
   */
  change(id: number, decide: (message: MessageRecord) => MessageChange | null): Promise<MessageRecord | null>;
  hideFromSender(id: number): Promise<void>;
  /** Takes the words away at once and leaves the rest until the event is out. @returns whether it was there */
  remove(message: MessageRecord, event: OutboxEntry): Promise<boolean>;
}

export function createMessageRepository(connection: Connection): MessageRepository {
  const model = connection.model('Message', schema);
  const notDeleted = { deletedAt: null };
  const find = (id: number): Promise<MessageRecord | null> => model.findOne({ id, ...notDeleted }).lean<MessageRecord>();
  const findBySubmission = (key: string): Promise<MessageRecord | null> => model.findOne({ 'submission.key': key }).lean<MessageRecord>();

  const list = (filter: QueryFilter<MessageDocument>, { order, before, limit }: Page): Promise<MessageRecord[]> =>
    model
      .find({ ...filter, ...notDeleted, ...(before !== undefined && { id: order === 'newest' ? { $lt: before } : { $gt: before } }) })
      .sort({ id: order === 'newest' ? -1 : 1 })
      .limit(limit)
      .lean<MessageRecord[]>();

  const received = (userId: number, filter: ReceivedFilter): QueryFilter<MessageDocument> => {
    if (filter === 'all') return { userId };
    return filter === 'public' ? { userId, isPublic: true } : { userId, isRead: filter === 'read' };
  };

  const count = (filter: QueryFilter<MessageDocument>): Promise<number> => model.countDocuments({ ...filter, ...notDeleted });

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
      ]),
    nextReplyId: () => nextId(connection, 'replies'),
    findBySubmission,
    async insert(message, eventsOf) {
      const id = await nextId(connection, COLLECTION);
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
        await model.create({ ...record, outbox: eventsOf(record) });
        return { message: record, isNew: true };
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        const earlier = await findBySubmission(message.submission.key);
        if (earlier === null) throw error;
        return { message: earlier, isNew: false };
      }
    },
    find,
    findByIds: (ids) => model.find({ id: { $in: ids }, ...notDeleted }).lean<MessageRecord[]>(),
    listReceived: (userId, filter, page) => list(received(userId, filter), page),
    listSent: (senderUserId, page) => list({ senderUserId, hiddenFromSender: false }, page),
    async counts(userId) {
      const [read, unread, sent] = await Promise.all([
        count(received(userId, 'read')),
        count(received(userId, 'unread')),
        count({ senderUserId: userId, hiddenFromSender: false }),
      ]);
      return { received: read + unread, read, unread, sent };
    },
    countPublic: (userId) => count(received(userId, 'public')),
    async change(id, decide) {
      for (let tries = 0; tries < MAX_CHANGE_TRIES; tries += 1) {
        const current = await find(id);
        if (current === null) return null;
        const decision = decide(current);
        if (decision === null) return current;
        const after: MessageRecord = { ...current, ...decision.set, revision: current.revision + 1 };
        const { modifiedCount } = await model.updateOne(
          { id, revision: current.revision, ...notDeleted },
          { $set: { ...decision.set, revision: after.revision }, $push: { outbox: { $each: decision.events(after) } } },
        );
        if (modifiedCount === 1) return after;
      }
      throw new Error('A message was changed by others at every try.');
    },
    async hideFromSender(id) {
      await model.updateOne({ id }, { $set: { hiddenFromSender: true } });
    },
    async remove({ id }, event) {
      const { modifiedCount } = await model.updateOne({ id, ...notDeleted }, { $set: { deletedAt: new Date(), content: '', reply: null }, $push: { outbox: event } });
      return modifiedCount === 1;
    },
  };
}
