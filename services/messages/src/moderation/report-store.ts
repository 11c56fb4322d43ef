import { createTimedIds, randomId } from '@najwa/common';
import { outboxIndex, type OutboxEntry } from '@najwa/common/amqp';
import { ensureIndexes, isDuplicateKey, nextId, retryOnDeadlock } from '@najwa/common/mongo';
import { isUrgent, URGENT_REASONS } from '@najwa/proto/http/client';
import type { Connection, mongo } from 'mongoose';
import { NO_ACCOUNT } from '../store/message-record.js';
import { CONFLICT, contended, retryOnConflict } from '../store/optimistic.js';
import type {
  ActionRecord,
  ListedAction,
  OwnReport,
  Reader,
  ReportEntry,
  ReportFilter,
  ReportRecord,
} from './report-record.js';

interface ReportDocument extends ReportRecord {
  outbox: OutboxEntry[];
  pendingSince?: Date;
  /** Also set on drafts, which are as hidden as deleted reports. */
  deletedAt?: Date;
}

export interface ReportChange {
  set: Partial<Pick<ReportRecord, 'status' | 'assignedTo' | 'entries' | 'actions' | 'changedAt'>>;
  events: OutboxEntry[];
}

const COLLECTION = 'reports';

const UNREPORTED = { assignedTo: null, entries: [], actions: [], revision: 1 };

/** Beyond this, counting costs more than reading a page. */
const MAX_COUNTED = 1_000;

/** Bounds the document. More reporters add no information. */
const MAX_ENTRIES = 1_000;

/** UTF-16 code units per report. Bounds a page of reports. */
const MAX_COMMENTS_LENGTH = 20_000;

const MAX_EARLIER = 1_000;

const matching = ({ reader, ...filter }: ReportFilter): mongo.Filter<ReportDocument> => ({
  ...filter,
  userId: { $ne: reader.id },
  'entries.reporterId': { $ne: reader.id },
  'senderTags.account': { $nin: [...reader.senderTags] },
});

export type ReportedMessage = Pick<ReportRecord, 'messageId' | 'userId' | 'evidence' | 'senderTags'>;

export type Affair = Pick<ReportRecord, 'id' | 'userId' | 'senderTags' | 'entries' | 'actions'>;

export interface ReportRepository {
  collection: mongo.Collection;
  prepare(): Promise<void>;
  nextActionId(): Promise<number>;
  find(id: number): Promise<ReportRecord | null>;
  findByMessage(messageId: number): Promise<ReportRecord | null>;
  findByAction(actionId: number): Promise<ReportRecord | null>;
  /** Precedes the mark of the message, so that the sweep finds an orphaned mark. */
  begin(message: ReportedMessage): Promise<void>;
  /**
   * Reopens a closed report. Beyond the bounds, drops the comment, then the entry.
   * @returns the entry, or the reporter's earlier one
   */
  add(
    message: ReportedMessage,
    entry: Omit<ReportEntry, 'id' | 'at' | 'decidedBy'>,
    eventOf: (reportId: number) => OutboxEntry,
  ): Promise<ReportEntry>;
  /**
   * Optimistic locking: `decide` runs again after a conflict.
   * @param decide may refuse by throwing; null for no change
   */
  change(id: number, decide: (report: ReportRecord) => ReportChange | null): Promise<ReportRecord | null>;
  /** Marks every effect as applied. @returns false after a conflict */
  settle(report: ReportRecord): Promise<boolean>;
  findPending(before: Date, limit: number): Promise<number[]>;
  /** Newest first; open ones by urgency first. `before` is the last id read. */
  list(filter: ReportFilter, page: { before: number | undefined; limit: number }): Promise<ReportRecord[]>;
  /** Null if too many. */
  count(filter: ReportFilter): Promise<number | null>;
  listActions(
    reader: Reader,
    isListed: (action: ActionRecord) => boolean,
    page: { before: number | undefined; limit: number },
  ): Promise<ListedAction[]>;
  listOwn(userId: number, page: { before: number | undefined; limit: number }): Promise<OwnReport[]>;
  findAffairs(ids: { reports: readonly number[]; actions: readonly number[] }): Promise<Affair[]>;
  findBySender(tags: string[]): Promise<Affair[]>;
  findFiles(names: readonly string[]): Promise<string[]>;
  findClosedBefore(time: Date, limit: number): Promise<ReportRecord[]>;
  findDraftsBefore(time: Date, limit: number): Promise<ReportRecord[]>;
  /** Its moderation stays. */
  forgetAccount(userId: number): Promise<void>;
  /** Removed once the last events are published. */
  remove(id: number, events: OutboxEntry[]): Promise<void>;
}

export function createReportRepository(connection: Connection): ReportRepository {
  const collection = connection.collection<ReportDocument>(COLLECTION);
  const notDeleted = { deletedAt: { $exists: false } };
  const nextEntryId = createTimedIds();
  const findOne = (filter: mongo.Filter<ReportDocument>): Promise<ReportDocument | null> =>
    collection.findOne({ ...filter, ...notDeleted });

  const actionsIn = (filter: mongo.Filter<ReportDocument>) =>
    collection.find({ ...filter, ...notDeleted }, { projection: { id: 1, actions: 1 } });

  const affairsIn = (filter: mongo.Filter<ReportDocument>) =>
    collection.find(
      { ...filter, ...notDeleted },
      { projection: { id: 1, userId: 1, senderTags: 1, entries: 1, actions: 1 } },
    );

  const write = async (report: ReportRecord, { set, events }: ReportChange): Promise<boolean> => {
    const isPending = set.actions?.some((action) => action.isPending) === true;
    const { modifiedCount } = await retryOnDeadlock(() =>
      collection.updateOne(
        { id: report.id, revision: report.revision },
        {
          $set: { ...set, revision: report.revision + 1, ...(isPending && { pendingSince: new Date() }) },
          ...(events.length > 0 && { $push: { outbox: { $each: events } } }),
        },
      ),
    );
    return modifiedCount === 1;
  };

  const insert = async (report: ReportDocument): Promise<boolean> => {
    try {
      await retryOnDeadlock(() => collection.insertOne(report));
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  };

  /** @returns false after a conflict */
  const open = async (report: ReportDocument): Promise<boolean> => {
    const { messageId } = report;
    const { matchedCount } = await retryOnDeadlock(() => collection.replaceOne({ messageId, status: 'draft' }, report));
    return matchedCount === 1 || insert(report);
  };

  return {
    collection: collection as unknown as mongo.Collection,
    prepare: () =>
      ensureIndexes(connection, COLLECTION, [
        { key: { id: 1 }, name: 'id', unique: true },
        { key: { messageId: 1 }, name: 'message', unique: true },
        { key: { status: 1, id: -1 }, name: 'status' },
        { key: { assignedTo: 1, status: 1, id: -1 }, name: 'assigned_to' },
        { key: { 'actions.id': 1 }, name: 'action' },
        { key: { 'entries.reporterId': 1 }, name: 'reporter' },
        { key: { 'senderTags.account': 1 }, name: 'sender_account' },
        { key: { 'senderTags.visitor': 1 }, name: 'sender_visitor' },
        { key: { pendingSince: 1 }, name: 'pending', sparse: true },
        { key: { status: 1, changedAt: 1 }, name: 'changed_at' },
        outboxIndex,
      ]),
    nextActionId: () => nextId(connection, 'moderation_actions'),
    find: (id) => findOne({ id }),
    findByMessage: (messageId) => findOne({ messageId }),
    findByAction: (actionId) => findOne({ 'actions.id': actionId }),
    async begin(message) {
      const { messageId } = message;
      if ((await findOne({ messageId })) !== null) return;
      const changedAt = new Date();
      const id = randomId();
      if (await insert({ ...message, ...UNREPORTED, id, status: 'draft', changedAt, outbox: [], deletedAt: changedAt }))
        return;
      const { matchedCount } = await retryOnDeadlock(() =>
        collection.updateOne({ messageId, status: 'draft' }, { $set: { changedAt } }),
      );
      // Fails only if an old report is being removed.
      if (matchedCount === 0 && (await findOne({ messageId })) === null) throw contended('The message is');
    },
    add: (message, said, eventOf) =>
      retryOnConflict('The message is', async () => {
        const report = await findOne({ messageId: message.messageId });
        const earlier = report?.entries.find(({ reporter }) => reporter === said.reporter);
        if (earlier) return earlier;
        const now = new Date();
        const entry: ReportEntry = { ...said, id: nextEntryId(said.reporter), at: now, decidedBy: null };
        if (report !== null && report.entries.length >= MAX_ENTRIES) return entry;
        const length = (report?.entries ?? []).reduce((sum, { comment }) => sum + comment.length, entry.comment.length);
        if (length > MAX_COMMENTS_LENGTH) entry.comment = '';
        const isAdded =
          report === null
            ? await open({
                ...message,
                ...UNREPORTED,
                id: entry.id,
                status: 'open',
                entries: [entry],
                changedAt: now,
                outbox: [eventOf(entry.id)],
              })
            : await write(report, {
                set: {
                  entries: [...report.entries, entry],
                  ...(report.status === 'closed' && { status: 'open', assignedTo: null, changedAt: now }),
                },
                events: [eventOf(report.id)],
              });
        return isAdded ? entry : CONFLICT;
      }),
    change: (id, decide) =>
      retryOnConflict('The report is', async () => {
        const report = await findOne({ id });
        if (report === null) return null;
        const change = decide(report);
        if (change === null) return report;
        const isWritten = await write(report, change);
        return isWritten ? { ...report, ...change.set, revision: report.revision + 1 } : CONFLICT;
      }),
    async settle({ id, revision, actions }) {
      const { matchedCount } = await retryOnDeadlock(() =>
        collection.updateOne(
          { id, revision },
          {
            $set: { actions: actions.map((action) => ({ ...action, isPending: false })) },
            $unset: { pendingSince: 1 },
          },
        ),
      );
      return matchedCount === 1;
    },
    async findPending(before, limit) {
      const found = await collection
        .find({ pendingSince: { $lt: before }, ...notDeleted }, { projection: { id: 1 } })
        .limit(limit)
        .toArray();
      return found.map(({ id }) => id);
    },
    async list(filter, { before, limit }) {
      const find = (some: mongo.Filter<ReportDocument>, most: number) =>
        collection
          .find({ ...matching(filter), ...notDeleted, ...some })
          .sort({ id: -1 })
          .limit(most)
          .toArray();
      const after = before === undefined ? {} : { id: { $lt: before } };
      if (filter.status !== 'open') return find(after, limit);
      // If the last report is gone, repeats urgent ones and skips none. An own affair counts as gone, or the page would
      // reveal its urgency.
      const last = before === undefined ? null : await findOne({ ...matching({ reader: filter.reader }), id: before });
      const isPastUrgent = last !== null && !last.entries.some(({ reason }) => isUrgent(reason));
      const urgent = isPastUrgent ? [] : await find({ ...after, 'entries.reason': { $in: URGENT_REASONS } }, limit);
      if (urgent.length === limit) return urgent;
      const others = { ...(isPastUrgent && after), 'entries.reason': { $nin: URGENT_REASONS } };
      return [...urgent, ...(await find(others, limit - urgent.length))];
    },
    async count(filter) {
      const count = await collection.countDocuments({ ...matching(filter), ...notDeleted }, { limit: MAX_COUNTED });
      return count === MAX_COUNTED ? null : count;
    },
    async listActions(reader, isListed, { before, limit }) {
      const foreign = matching({ reader });
      const [newest] =
        before === undefined ? await actionsIn(foreign).sort({ 'actions.id': -1 }).limit(1).toArray() : [];
      let end = before ?? Math.max(0, ...(newest?.actions.map(({ id }) => id) ?? [])) + 1;
      const listed: ListedAction[] = [];
      // Ids are dense, so ranges suffice. They grow for rare kinds.
      for (let length = limit; end > 1 && listed.length < limit; length *= 4) {
        const [from, to] = [Math.max(1, end - length), end];
        const isInRange = ({ id }: ActionRecord): boolean => id >= from && id < to;
        const inRange = { actions: { $elemMatch: { id: { $gte: from, $lt: to } } } };
        const found = await actionsIn({ ...foreign, ...inRange }).toArray();
        const actions = found.flatMap(({ id: reportId, actions: all }) =>
          all.filter((action) => isInRange(action) && isListed(action)).map((action) => ({ reportId, action })),
        );
        listed.push(...actions.toSorted((one, other) => other.action.id - one.action.id));
        end = from;
      }
      return listed.slice(0, limit);
    },
    async listOwn(userId, { before, limit }) {
      const found = await collection
        .aggregate<{ entries: ReportEntry; messageId: number; actions: ActionRecord[] }>([
          { $match: { 'entries.reporterId': userId, ...notDeleted } },
          { $unwind: '$entries' },
          { $match: { 'entries.reporterId': userId, ...(before !== undefined && { 'entries.id': { $lt: before } }) } },
          { $sort: { 'entries.id': -1 } },
          { $limit: limit },
          { $project: { entries: 1, messageId: 1, actions: 1 } },
        ])
        .toArray();
      return found.map(({ entries: entry, messageId, actions }) => ({
        entry,
        messageId,
        action: actions.find(({ id }) => id === entry.decidedBy),
      }));
    },
    findAffairs: ({ reports, actions }) =>
      affairsIn({ $or: [{ id: { $in: [...reports] } }, { 'actions.id': { $in: [...actions] } }] }).toArray(),
    async findBySender(tags) {
      if (tags.length === 0) return [];
      const ofSender = { $or: [{ 'senderTags.account': { $in: tags } }, { 'senderTags.visitor': { $in: tags } }] };
      return affairsIn(ofSender).limit(MAX_EARLIER).toArray();
    },
    async findFiles(names) {
      if (names.length === 0) return [];
      const found = await collection
        .find(
          { $or: [{ 'evidence.imageName': { $in: [...names] } }, { 'evidence.audio.name': { $in: [...names] } }] },
          { projection: { 'evidence.imageName': 1, 'evidence.audio.name': 1 } },
        )
        .toArray();
      const kept = found.flatMap(({ evidence: { imageName, audio } }) => [imageName, audio?.name]);
      return names.filter((name) => kept.includes(name));
    },
    findClosedBefore: (time, limit) =>
      collection
        .find({ status: 'closed', changedAt: { $lt: time }, ...notDeleted })
        .limit(limit)
        .toArray(),
    findDraftsBefore: (time, limit) =>
      collection
        .find({ status: 'draft', changedAt: { $lt: time } })
        .limit(limit)
        .toArray(),
    async forgetAccount(userId) {
      await collection.updateMany({ userId }, { $set: { userId: NO_ACCOUNT } });
      await collection.updateMany({ assignedTo: userId, status: 'open' }, { $set: { assignedTo: null } });
      for (;;) {
        const report = await collection.findOne({ 'entries.reporterId': userId });
        if (report === null) return;
        const entries = report.entries.map((entry) =>
          entry.reporterId === userId
            ? { ...entry, reporter: `gone ${entry.id}`, reporterId: null, comment: '' }
            : entry,
        );
        await write(report, { set: { entries }, events: [] });
      }
    },
    async remove(id, events) {
      if (events.length === 0) await collection.deleteOne({ id });
      else
        await collection.updateOne(
          { id },
          {
            $set: {
              status: 'closed',
              deletedAt: new Date(),
              outbox: events,
              'evidence.content': '',
              entries: [],
              actions: [],
            },
          },
        );
    },
  };
}
