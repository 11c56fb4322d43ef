import {
  retryOnDeadlock,
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
  type Submission,
  type WithOutbox,
} from '@najwa/common';
import { Schema, type Connection, type mongo, type QueryFilter } from 'mongoose';
import { countChanges, pendingCountsIndex, withCounts } from './counts.js';

export interface ReplyRecord {
  id: number;
  content: string;
  createdAt: Date;
  submission: Submission;
}

/** A reply without its words. */
export type ReplacedReply = Omit<ReplyRecord, 'content'>;

/** A voice message's sound, which media keeps. */
export interface AudioRecord {
  name: string;
  contentType: string;
  /** In seconds, measured. */
  duration: number;
  /** Its outline, from 0 to 100. */
  peaks: number[];
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
  audio: AudioRecord | null;
  createdAt: Date;
  /** Counts up by one with every change that others hear of. */
  revision: number;
  /** It rides in the message, so that saving it, marking the message as read and telling of both is one write. */
  reply: ReplyRecord | null;
  /** Of the replies that another one has replaced, the latest ones, so that a late try of one of them does not bring it back. */
  replacedReplies?: ReplacedReply[];
  submission: Submission;
}

/** What a submission made before. */
export type EarlierMessage = MessageRecord & { deletedAt?: Date | null };

export type NewMessage = Pick<
  MessageRecord,
  'userId' | 'senderUserId' | 'content' | 'imageName' | 'audio' | 'submission'
>;

/** What a change sets, and the events that it causes. */
export interface MessageChange {
  set: Partial<Pick<MessageRecord, 'isRead' | 'isPublic' | 'reply' | 'replacedReplies' | 'hiddenFromSender'>>;
  events: (after: MessageRecord) => OutboxEntry[];
}

export interface Page {
  order: IdOrder;
  /** Id of the last message of the page before, in the list's own order. */
  before: number | undefined;
  limit: number;
}

/** Where in the whole of messages those of a list lie, as far as is known; it decides only how they are looked for. */
export interface Whereabouts {
  count: number;
  span: IdSpan;
}

export type ReadFilter = 'all' | 'unread' | 'read';
export type ReceivedFilter = ReadFilter | 'public';

interface MessageDocument extends MessageRecord, WithOutbox {}

const COLLECTION = 'messages';
const MAX_CHANGE_TRIES = 10;

/** So many are sorted as quickly as a few. */
const SHORT_LIST = 200;

/** How many times as many as a page holds the first range of a long list is to hold, so that it mostly suffices. */
const SPARE = 3;

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
    audio: {
      type: new Schema<AudioRecord>(
        { name: String, contentType: String, duration: Number, peaks: [Number] },
        { _id: false },
      ),
      default: null,
    },
    createdAt: Date,
    revision: Number,
    reply: {
      type: new Schema<ReplyRecord>(
        { id: Number, content: String, createdAt: Date, submission },
        { _id: false, id: false },
      ),
      default: null,
    },
    replacedReplies: {
      type: [new Schema<ReplacedReply>({ id: Number, createdAt: Date, submission }, { _id: false, id: false })],
      default: undefined,
    },
    submission,
    deletedAt: Date,
    outbox: [
      {
        _id: false,
        id: String,
        at: Date,
        body: String,
        counts: {
          type: [{ _id: false, userId: Number, received: Number, read: Number, public: Number, sent: Number }],
          default: undefined,
        },
      },
    ],
  },
  { collection: COLLECTION, id: false, versionKey: false },
);

export interface MessageRepository {
  collection: mongo.Collection;
  prepare(): Promise<void>;
  nextReplyId(): Promise<number>;
  /** Finds a deleted message as well: its submission must not send it again. */
  findBySubmission(key: string): Promise<EarlierMessage | null>;
  /** @returns the new message, or the one that this submission made before */
  insert(
    message: NewMessage,
    eventsOf: (message: MessageRecord) => OutboxEntry[],
  ): Promise<{ message: EarlierMessage; isNew: boolean }>;
  find(id: number): Promise<MessageRecord | null>;
  findByIds(ids: number[]): Promise<MessageRecord[]>;
  listReceived(userId: number, filter: ReceivedFilter, whereabouts: Whereabouts, page: Page): Promise<MessageRecord[]>;
  listSent(senderUserId: number, filter: ReadFilter, whereabouts: Whereabouts, page: Page): Promise<MessageRecord[]>;
  /**
   * Changes a message that nobody else changed in between; else decides again from what stands now.
   * @param decide returns null when there is nothing to change
   * @returns the message as it stands after, or null when there is none
   */
  change(id: number, decide: (message: MessageRecord) => MessageChange | null): Promise<MessageRecord | null>;
  /**
   * Takes the words away at once and leaves the rest until the event is out.
   * @param decide may refuse by throwing
   */
  remove(id: number, decide: (message: MessageRecord) => OutboxEntry): Promise<void>;
}

export function createMessageRepository(connection: Connection): MessageRepository {
  const model = connection.model('Message', schema);
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
    { count, span }: Whereabouts,
    { order, before, limit }: Page,
  ): Promise<MessageRecord[]> => {
    const { found } = await readByIdRanges({
      find: (range, most) =>
        model
          .find({ ...filter, ...notDeleted, ...range })
          .sort({ id: order === 'newest' ? -1 : 1 })
          .limit(most)
          .lean<MessageRecord[]>(),
      order,
      before,
      limit,
      span,
      width: count <= SHORT_LIST ? Infinity : Math.ceil(((span.last - span.first + 1) / count) * limit * SPARE),
    });
    return found;
  };

  const matching = (filter: ReceivedFilter): QueryFilter<MessageDocument> => {
    if (filter === 'all') return {};
    return filter === 'public' ? { isPublic: true } : { isRead: filter === 'read' };
  };

  /** @returns whether nobody else changed the message in between */
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
    findByIds: (ids) => model.find({ id: { $in: ids }, ...notDeleted }).lean<MessageRecord[]>(),
    listReceived: (userId, filter, whereabouts, page) => list({ userId, ...matching(filter) }, whereabouts, page),
    listSent: (senderUserId, filter, whereabouts, page) =>
      list({ senderUserId, hiddenFromSender: false, ...matching(filter) }, whereabouts, page),
    async change(id, decide) {
      for (let tries = 0; tries < MAX_CHANGE_TRIES; tries += 1) {
        const current = await find(id);
        if (current === null) return null;
        const decision = decide(current);
        if (decision === null) return current;
        const after: MessageRecord = { ...current, ...decision.set, revision: current.revision + 1 };
        if (await write(current, after, decision.set, decision.events(after))) return after;
      }
      throw new Error('A message was changed by others at every try.');
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
      throw new Error('A message was changed by others at every try.');
    },
  };
}
