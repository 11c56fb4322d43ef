import { createTimedIds, randomId } from '@najwa/common';
import { outboxIndex, type OutboxEntry } from '@najwa/common/amqp';
import { ensureIndexes, isDuplicateKey, nextId, retryOnDeadlock } from '@najwa/common/mongo';
import { isUrgent, URGENT_REASONS } from '@najwa/proto/http/client';
import type { Connection, mongo } from 'mongoose';
import { NO_ACCOUNT } from '../store/message-record.js';
import type { IdPage } from '../store/messages.js';
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

const EMPTIED = { status: 'closed' as const, 'evidence.content': '', entries: [], actions: [] };

const notDeleted = { deletedAt: { $exists: false } };

export class ReportRepository {
  readonly collection: mongo.Collection;
  readonly #collection;
  readonly #nextEntryId = createTimedIds();

  constructor(connection: Connection) {
    this.#collection = connection.collection<ReportDocument>(COLLECTION);
    this.collection = this.#collection as unknown as mongo.Collection;
  }

  prepare(): Promise<void> {
    return ensureIndexes(this.#collection.conn, COLLECTION, [
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
    ]);
  }
  nextActionId(): Promise<number> {
    return nextId(this.#collection.conn, 'moderation_actions');
  }
  find(id: number): Promise<ReportRecord | null> {
    return this.#findOne({ id });
  }
  findByMessage(messageId: number): Promise<ReportRecord | null> {
    return this.#findOne({ messageId });
  }
  findByAction(actionId: number): Promise<ReportRecord | null> {
    return this.#findOne({ 'actions.id': actionId });
  }
  /** Precedes the mark of the message, so that the sweep finds an orphaned mark. */
  async begin(message: ReportedMessage): Promise<void> {
    const { messageId } = message;
    if ((await this.#findOne({ messageId })) !== null) return;
    const changedAt = new Date();
    const draft = { status: 'draft' as const, changedAt, outbox: [], deletedAt: changedAt };
    if (await this.#insert({ ...message, ...UNREPORTED, id: randomId(), ...draft })) return;
    const { matchedCount } = await retryOnDeadlock(() =>
      this.#collection.updateOne({ messageId, status: 'draft' }, { $set: { changedAt } }),
    );
    // Fails only if an old report is being removed.
    if (matchedCount === 0 && (await this.#findOne({ messageId })) === null) throw contended('The message is');
  }
  /**
   * Reopens a closed report. Beyond the bounds, drops the comment, then the entry.
   * @returns the entry, or the reporter's earlier one
   */
  add(
    message: ReportedMessage,
    said: Omit<ReportEntry, 'id' | 'at' | 'decidedBy'>,
    eventOf: (reportId: number) => OutboxEntry,
  ): Promise<ReportEntry> {
    return retryOnConflict('The message is', async () => {
      const report = await this.#findOne({ messageId: message.messageId });
      const earlier = report?.entries.find(({ reporter }) => reporter === said.reporter);
      if (earlier) return earlier;
      const now = new Date();
      const entry: ReportEntry = { ...said, id: this.#nextEntryId(said.reporter), at: now, decidedBy: null };
      if (report !== null && report.entries.length >= MAX_ENTRIES) return entry;
      const length = (report?.entries ?? []).reduce((sum, { comment }) => sum + comment.length, entry.comment.length);
      if (length > MAX_COMMENTS_LENGTH) entry.comment = '';
      const isAdded =
        report === null
          ? await this.#open({
              ...message,
              ...UNREPORTED,
              id: entry.id,
              status: 'open',
              entries: [entry],
              changedAt: now,
              outbox: [eventOf(entry.id)],
            })
          : await this.#write(report, {
              set: {
                entries: [...report.entries, entry],
                ...(report.status === 'closed' && { status: 'open', assignedTo: null, changedAt: now }),
              },
              events: [eventOf(report.id)],
            });
      return isAdded ? entry : CONFLICT;
    });
  }
  /**
   * Optimistic locking: `decide` runs again after a conflict.
   * @param decide may refuse by throwing; null for no change
   */
  change(id: number, decide: (report: ReportRecord) => ReportChange | null): Promise<ReportRecord | null> {
    return retryOnConflict('The report is', async () => {
      const report = await this.#findOne({ id });
      if (report === null) return null;
      const change = decide(report);
      if (change === null) return report;
      const isWritten = await this.#write(report, change);
      return isWritten ? { ...report, ...change.set, revision: report.revision + 1 } : CONFLICT;
    });
  }
  /** Marks every effect as applied. @returns false after a conflict */
  async settle({ id, revision, actions }: ReportRecord): Promise<boolean> {
    const { matchedCount } = await retryOnDeadlock(() =>
      this.#collection.updateOne(
        { id, revision },
        {
          $set: { actions: actions.map((action) => ({ ...action, isPending: false })) },
          $unset: { pendingSince: 1 },
        },
      ),
    );
    return matchedCount === 1;
  }
  async findPending(before: Date, limit: number): Promise<number[]> {
    const found = await this.#collection
      .find({ pendingSince: { $lt: before }, ...notDeleted }, { projection: { id: 1 } })
      .limit(limit)
      .toArray();
    return found.map(({ id }) => id);
  }
  /** Newest first; open ones by urgency first. `before` is the last id read. */
  async list(filter: ReportFilter, { before, limit }: IdPage): Promise<ReportRecord[]> {
    const find = (some: mongo.Filter<ReportDocument>, most: number) =>
      this.#collection
        .find({ ...matching(filter), ...notDeleted, ...some })
        .sort({ id: -1 })
        .limit(most)
        .toArray();
    const after = before === undefined ? {} : { id: { $lt: before } };
    if (filter.status !== 'open') return find(after, limit);
    // If the last report is gone, repeats urgent ones and skips none. An own affair counts as gone, or the page would
    // reveal its urgency.
    const last =
      before === undefined ? null : await this.#findOne({ ...matching({ reader: filter.reader }), id: before });
    const isPastUrgent = last !== null && !last.entries.some(({ reason }) => isUrgent(reason));
    const urgent = isPastUrgent ? [] : await find({ ...after, 'entries.reason': { $in: URGENT_REASONS } }, limit);
    if (urgent.length === limit) return urgent;
    const others = { ...(isPastUrgent && after), 'entries.reason': { $nin: URGENT_REASONS } };
    return [...urgent, ...(await find(others, limit - urgent.length))];
  }
  /** Null if too many. */
  async count(filter: ReportFilter): Promise<number | null> {
    const count = await this.#collection.countDocuments({ ...matching(filter), ...notDeleted }, { limit: MAX_COUNTED });
    return count === MAX_COUNTED ? null : count;
  }
  async listActions(
    reader: Reader,
    isListed: (action: ActionRecord) => boolean,
    { before, limit }: IdPage,
  ): Promise<ListedAction[]> {
    const foreign = matching({ reader });
    const [newest] =
      before === undefined ? await this.#actionsIn(foreign).sort({ 'actions.id': -1 }).limit(1).toArray() : [];
    let end = before ?? Math.max(0, ...(newest?.actions.map(({ id }) => id) ?? [])) + 1;
    const listed: ListedAction[] = [];
    // Ids are dense, so ranges suffice. They grow for rare kinds.
    for (let length = limit; end > 1 && listed.length < limit; length *= 4) {
      const [from, to] = [Math.max(1, end - length), end];
      const isInRange = ({ id }: ActionRecord): boolean => id >= from && id < to;
      const inRange = { actions: { $elemMatch: { id: { $gte: from, $lt: to } } } };
      const found = await this.#actionsIn({ ...foreign, ...inRange }).toArray();
      const actions = found.flatMap(({ id: reportId, actions: all }) =>
        all.filter((action) => isInRange(action) && isListed(action)).map((action) => ({ reportId, action })),
      );
      listed.push(...actions.toSorted((one, other) => other.action.id - one.action.id));
      end = from;
    }
    return listed.slice(0, limit);
  }
  async listOwn(userId: number, { before, limit }: IdPage): Promise<OwnReport[]> {
    const found = await this.#collection
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
  }
  findAffairs({ reports, actions }: { reports: readonly number[]; actions: readonly number[] }): Promise<Affair[]> {
    return this.#affairsIn({ $or: [{ id: { $in: [...reports] } }, { 'actions.id': { $in: [...actions] } }] }).toArray();
  }
  async findBySender(tags: string[]): Promise<Affair[]> {
    if (tags.length === 0) return [];
    const ofSender = { $or: [{ 'senderTags.account': { $in: tags } }, { 'senderTags.visitor': { $in: tags } }] };
    return this.#affairsIn(ofSender).limit(MAX_EARLIER).toArray();
  }
  async findFiles(names: readonly string[]): Promise<string[]> {
    if (names.length === 0) return [];
    const found = await this.#collection
      .find(
        { $or: [{ 'evidence.imageName': { $in: [...names] } }, { 'evidence.audio.name': { $in: [...names] } }] },
        { projection: { 'evidence.imageName': 1, 'evidence.audio.name': 1 } },
      )
      .toArray();
    const kept = found.flatMap(({ evidence: { imageName, audio } }) => [imageName, audio?.name]);
    return names.filter((name) => kept.includes(name));
  }
  findBefore(status: 'closed' | 'draft', time: Date, limit: number): Promise<ReportRecord[]> {
    const filter = { status, changedAt: { $lt: time }, ...(status === 'closed' && notDeleted) };
    return this.#collection.find(filter).limit(limit).toArray();
  }
  /** Its moderation stays. */
  async forgetAccount(userId: number): Promise<void> {
    await this.#collection.updateMany({ userId }, { $set: { userId: NO_ACCOUNT } });
    await this.#collection.updateMany({ assignedTo: userId, status: 'open' }, { $set: { assignedTo: null } });
    for (;;) {
      const report = await this.#collection.findOne({ 'entries.reporterId': userId });
      if (report === null) return;
      const entries = report.entries.map((entry) =>
        entry.reporterId === userId ? { ...entry, reporter: `gone ${entry.id}`, reporterId: null, comment: '' } : entry,
      );
      await this.#write(report, { set: { entries }, events: [] });
    }
  }
  /** Removed once the last events are published. */
  async remove(id: number, events: OutboxEntry[]): Promise<void> {
    if (events.length === 0) await this.#collection.deleteOne({ id });
    else await this.#collection.updateOne({ id }, { $set: { ...EMPTIED, deletedAt: new Date(), outbox: events } });
  }

  #findOne(filter: mongo.Filter<ReportDocument>): Promise<ReportDocument | null> {
    return this.#collection.findOne({ ...filter, ...notDeleted });
  }
  #actionsIn(filter: mongo.Filter<ReportDocument>) {
    return this.#collection.find({ ...filter, ...notDeleted }, { projection: { id: 1, actions: 1 } });
  }
  #affairsIn(filter: mongo.Filter<ReportDocument>) {
    return this.#collection.find(
      { ...filter, ...notDeleted },
      { projection: { id: 1, userId: 1, senderTags: 1, entries: 1, actions: 1 } },
    );
  }
  async #write(report: ReportRecord, { set, events }: ReportChange): Promise<boolean> {
    const isPending = set.actions?.some((action) => action.isPending) === true;
    const { modifiedCount } = await retryOnDeadlock(() =>
      this.#collection.updateOne(
        { id: report.id, revision: report.revision },
        {
          $set: { ...set, revision: report.revision + 1, ...(isPending && { pendingSince: new Date() }) },
          ...(events.length > 0 && { $push: { outbox: { $each: events } } }),
        },
      ),
    );
    return modifiedCount === 1;
  }
  async #insert(report: ReportDocument): Promise<boolean> {
    try {
      await retryOnDeadlock(() => this.#collection.insertOne(report));
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }
  /** @returns false after a conflict */
  async #open(report: ReportDocument): Promise<boolean> {
    const { messageId } = report;
    const { matchedCount } = await retryOnDeadlock(() =>
      this.#collection.replaceOne({ messageId, status: 'draft' }, report),
    );
    return matchedCount === 1 || this.#insert(report);
  }
}
