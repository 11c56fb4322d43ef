import { createBatcher } from '@najwa/common';
import type { OutboxEntry } from '@najwa/common/amqp';
import { isDuplicateKey, retryOnDeadlock, type IdSpan } from '@najwa/common/mongo';
import { contributionsOf, type AccountKey, type MessageCounts } from '@najwa/product';
import { LRUCache } from 'lru-cache';
import type { Connection, mongo } from 'mongoose';
import { asSent, isPublished, type MessageRecord } from './message-record.js';
import { CONFLICT, retryOnConflict } from './optimistic.js';
import { addArrivals, recentArrivals, type Arrivals, type WaveRule } from './waves.js';

export type { MessageCounts };

/** The difference that one change of a message makes to an account's counts. */
export interface CountChange extends Partial<MessageCounts> {
  userId: AccountKey;
  /** 1 for a new message to the account, also for one that is set aside, so that its sender cannot tell. */
  arrived?: 1;
  /** 1 for one that moderators hold. It makes a wave for senders who are held alone. */
  held?: 1;
}

/** A message that was deleted, or a publication that was taken back. No backup may bring it back. */
export interface LedgerNote {
  kind: 'message' | 'publication';
  /** Both as when it was sent: a message that is delivered later gets others. */
  sentId: number;
  sentAt: Date;
  /** With which it happened. */
  revision: number;
}

/** An outbox entry that also carries changes of counts, and a note for the ledger of deletions. */
export interface CountingEntry extends OutboxEntry {
  counts?: CountChange[];
  ledger?: LedgerNote;
}

/** A search looks through so many messages of an inbox before it asks the index of words. */
export const LONG_INBOX = 1_152;

/** Long inboxes to remember. One that is forgotten is met again with its next message. */
const MAX_REMEMBERED = 50_000;

const MESSAGE_COUNTS = 'message_counts';

const NAMES = ['received', 'read', 'public', 'sent'] as const;
const ZERO: MessageCounts = { received: 0, read: 0, public: 0, sent: 0 };

/** First and last id of all messages that an account ever received or sent. */
interface AccountSpans {
  receivedIds?: IdSpan | undefined;
  sentIds?: IdSpan | undefined;
}

interface CountsDocument extends MessageCounts, AccountSpans {
  /** Sent messages are counted under the account's tag, so that the counts do not tell who sent them. */
  _id: AccountKey;
  /** In the inbox. Missing until a message arrives. */
  arrivals?: Arrivals | undefined;
  /** In the inbox and set aside. */
  allArrivals?: Arrivals | undefined;
  /** Those, and held ones. */
  heldArrivals?: Arrivals | undefined;
  version: number;
  /** Ids of outbox entries that are included in the counts and may still be in a message. */
  applied: string[];
}

const add = (a: MessageCounts, b: Partial<MessageCounts>): MessageCounts => ({
  received: a.received + (b.received ?? 0),
  read: a.read + (b.read ?? 0),
  public: a.public + (b.public ?? 0),
  sent: a.sent + (b.sent ?? 0),
});

const widen = (span: IdSpan | undefined, ids: number[]): IdSpan | undefined =>
  ids.length === 0
    ? span
    : { first: Math.min(span?.first ?? Infinity, ...ids), last: Math.max(span?.last ?? 0, ...ids) };

/**
 * The changes of counts that a change of a message causes.
 * @param before null for a new message
 * @param after null for a deleted message
 */
export function countChanges(before: MessageRecord | null, after: MessageRecord | null): CountChange[] {
  const contributed = (message: MessageRecord | null): ReturnType<typeof contributionsOf> =>
    message === null ? new Map<AccountKey, never>() : contributionsOf(message);
  const [old, now] = [contributed(before), contributed(after)];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((userId) => {
    const differences: [string, number][] = NAMES.map((name): [string, number] => [
      name,
      (now.get(userId)?.[name] ?? 0) - (old.get(userId)?.[name] ?? 0),
    ]).filter(([, by]) => by !== 0);
    // Held messages make no wave for others: the recipient would meet it without having seen a message.
    if (before === null && after !== null && userId === after.userId)
      differences.push([after.aside?.reason === 'held' ? 'held' : 'arrived', 1]);
    return differences.length === 0 ? [] : [{ userId, ...Object.fromEntries(differences) }];
  });
}

/** Attaches changes of counts, and a note for the ledger, to the events of the same write. */
export function withCounts(events: OutboxEntry[], counts: CountChange[], ledger?: LedgerNote): CountingEntry[] {
  const [first, ...others] = events;
  if (first === undefined || (counts.length === 0 && ledger === undefined)) return events;
  return [{ ...first, ...(counts.length > 0 && { counts }), ...(ledger && { ledger }) }, ...others];
}

/** @param after null for a deleted message */
export function ledgerNote(before: MessageRecord, after: MessageRecord | null): LedgerNote | undefined {
  if (after !== null && (!isPublished(before) || isPublished(after))) return undefined;
  const { id: sentId, createdAt: sentAt } = asSent(before);
  return { kind: after === null ? 'message' : 'publication', sentId, sentAt, revision: before.revision + 1 };
}

/** Counts and id spans that may miss the latest changes: those that the relay has not applied yet. */
export interface CountSummary {
  counts: MessageCounts;
  receivedIds: IdSpan;
  sentIds: IdSpan;
}

const NO_IDS: IdSpan = { first: 1, last: 0 };

/** A change of counts that is still in the outbox of a message. */
interface PendingChange {
  messageId: number;
  /** The outbox entry's id. */
  id: string;
  at: Date;
  change: CountChange;
}

export interface CountRepository {
  /**
   * Exact after every change. The cost does not depend on the number of messages.
   * @param keys of one account
   */
  of(...keys: AccountKey[]): Promise<MessageCounts>;
  summary(...keys: AccountKey[]): Promise<CountSummary>;
  /**
   * The wave that an account receives: far more than it ever did, a moment late. Null if there is none.
   * @param place `inbox` for its owner; `all` for senders, who must not learn whether they are set aside; `held` for those whose
   * messages are held, who must not learn that either
   */
  findWave(userId: number, place: 'inbox' | 'all' | 'held'): Promise<{ count: number; minutes: number } | null>;
  /** True for an inbox that a search does not look through to its end, a moment late. */
  isLong(userId: number): boolean;
  /** Adds the changes in these entries to the counts. Idempotent, also across replicas. */
  apply(entries: OutboxEntry[]): Promise<void>;
  /** Removes the counts of an account. No message may have changes of them any more. */
  remove(keys: readonly AccountKey[]): Promise<void>;
}

/**
 * Message counts per account. A change of counts is written into the outbox of its message, and the outbox relay adds
 * it to the account's document before it removes the entry. The counts are that document plus the entries that are
 * still in a message; `applied` names the entries that are in both. Readers read the document, then the messages, then
 * the document's version: if the version is the same, both belong together.
 */
export function createCountRepository(
  connection: Connection,
  messages: mongo.Collection,
  wave: WaveRule,
): CountRepository {
  const documents = connection.collection<CountsDocument>(MESSAGE_COUNTS);
  const longInboxes = new LRUCache<AccountKey, true>({ max: MAX_REMEMBERED });
  const noteLength = ({ _id, received }: Pick<CountsDocument, '_id' | 'received'>): void => {
    if (received > LONG_INBOX) longInboxes.set(_id, true);
  };

  /** @returns an entry for each of the accounts */
  const pendingOf = async (userIds: readonly AccountKey[]): Promise<Map<AccountKey, PendingChange[]>> => {
    const pending = new Map<AccountKey, PendingChange[]>(userIds.map((userId) => [userId, []]));
    const found = messages.find<{ id: number; outbox: CountingEntry[] }>(
      { 'outbox.counts.userId': { $in: [...userIds] } },
      { projection: { _id: 0, id: 1, 'outbox.id': 1, 'outbox.at': 1, 'outbox.counts': 1 } },
    );
    for (const { id: messageId, outbox } of await found.toArray())
      for (const { id, at, counts = [] } of outbox)
        for (const change of counts) pending.get(change.userId)?.push({ messageId, id, at, change });
    return pending;
  };

  const spansWith = (document: CountsDocument | null, pending: PendingChange[]): AccountSpans => {
    const added = (name: 'received' | 'sent'): number[] =>
      pending.filter(({ change }) => (change[name] ?? 0) > 0).map(({ messageId }) => messageId);
    return {
      receivedIds: widen(document?.receivedIds, added('received')),
      sentIds: widen(document?.sentIds, added('sent')),
    };
  };

  const sumOf = (document: CountsDocument | null, pending: PendingChange[]): MessageCounts => {
    const applied = new Set(document?.applied);
    const { received, read, public: published, sent } = document ?? ZERO;
    return pending
      .filter(({ id }) => !applied.has(id))
      .reduce((sum, { change }) => add(sum, change), { received, read, public: published, sent });
  };

  /** Leaves out what waited for longer than a window, as after an outage. */
  const arrivalsWith = (
    document: CountsDocument | null,
    pending: PendingChange[],
  ): Pick<CountsDocument, 'arrivals' | 'allArrivals' | 'heldArrivals'> => {
    const now = new Date();
    const applied = new Set(document?.applied);
    const sent = pending.filter(
      ({ id, at, change }) =>
        (change.arrived ?? change.held) === 1 && !applied.has(id) && now.getTime() - at.getTime() < wave.seconds * 1000,
    );
    const arrived = sent.filter(({ change }) => change.arrived === 1);
    const inInbox = arrived.filter(({ change }) => change.received === 1);
    const added = (to: Arrivals | undefined, { length }: PendingChange[]): Arrivals | undefined =>
      length === 0 ? to : addArrivals(wave, to, length, now);
    return {
      arrivals: added(document?.arrivals, inInbox),
      allArrivals: added(document?.allArrivals, arrived),
      heldArrivals: added(document?.heldArrivals, sent),
    };
  };

  /** The counts of an account with what waits. Undefined if all of `ids` were included before. */
  const withPending = (
    userId: AccountKey,
    document: CountsDocument | null,
    pending: PendingChange[],
    ids: readonly string[],
  ): CountsDocument | undefined => {
    const applied = new Set(document?.applied);
    const waiting = new Set(pending.map(({ id }) => id));
    // Another replica may have applied some, and removed them from their messages.
    if (!ids.some((id) => waiting.has(id) && !applied.has(id))) return undefined;
    return {
      _id: userId,
      ...sumOf(document, pending),
      ...spansWith(document, pending),
      ...arrivalsWith(document, pending),
      version: (document?.version ?? 0) + 1,
      // An entry that left its message never returns, so `applied` need not keep it.
      applied: [...waiting],
    };
  };

  /** Replaces documents that are as they were read. @returns whether all were */
  const replaceAll = async (
    changes: readonly { before: CountsDocument | null; after: CountsDocument }[],
  ): Promise<boolean> => {
    const writes = changes.map(({ before, after }) =>
      before === null
        ? { insertOne: { document: after } }
        : { replaceOne: { filter: { _id: before._id, version: before.version }, replacement: after } },
    );
    try {
      const { modifiedCount, insertedCount } = await retryOnDeadlock(() =>
        documents.bulkWrite(writes, { ordered: false }),
      );
      return modifiedCount + insertedCount === changes.length;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  };

  const countsOf = (userId: AccountKey): Promise<MessageCounts> =>
    retryOnConflict('The counts are', async () => {
      const document = await documents.findOne({ _id: userId });
      const pending = (await pendingOf([userId])).get(userId) ?? [];
      const now = await documents.findOne({ _id: userId }, { projection: { version: 1 } });
      return now?.version === document?.version ? sumOf(document, pending) : CONFLICT;
    });

  const arrivalsOf = createBatcher<number, Record<'inbox' | 'all' | 'held', Arrivals | undefined>>({
    runBatch: async (ids) => {
      const projection = { received: 1, arrivals: 1, allArrivals: 1, heldArrivals: 1 };
      const found = await documents.find({ _id: { $in: ids } }, { projection }).toArray();
      found.forEach(noteLength);
      const byId = new Map(found.map((document) => [document._id, document]));
      return ids.map((id) => {
        const { arrivals: inbox, allArrivals: all, heldArrivals: held } = byId.get(id) ?? {};
        return { inbox, all, held };
      });
    },
  });

  return {
    async of(...keys) {
      const found = await Promise.all(keys.map(countsOf));
      return found.reduce(add, ZERO);
    },
    async summary(...keys) {
      const found = await documents.find({ _id: { $in: keys } }, { projection: { applied: 0 } }).toArray();
      const spanOf = (name: 'receivedIds' | 'sentIds'): IdSpan =>
        widen(
          undefined,
          found.flatMap(({ [name]: span }) => (span ? [span.first, span.last] : [])),
        ) ?? NO_IDS;
      return { counts: found.reduce(add, ZERO), receivedIds: spanOf('receivedIds'), sentIds: spanOf('sentIds') };
    },
    async findWave(userId, place) {
      const { count, isWave } = recentArrivals(wave, (await arrivalsOf(userId))[place], new Date());
      return isWave ? { count, minutes: Math.round(wave.seconds / 60) } : null;
    },
    isLong: (userId) => longInboxes.has(userId),
    async remove(keys) {
      await documents.deleteMany({ _id: { $in: [...keys] } });
    },
    async apply(entries) {
      const idsOf = new Map<AccountKey, string[]>();
      for (const { id, counts = [] } of entries as CountingEntry[]) {
        for (const { userId } of counts) idsOf.set(userId, [...(idsOf.get(userId) ?? []), id]);
      }
      // In one order, so that replicas do not wait for each other in a circle.
      const accounts = [...idsOf.keys()].sort((a, b) => String(a).localeCompare(String(b)));
      if (accounts.length === 0) return;
      await retryOnConflict('The counts are', async () => {
        const found = await documents.find({ _id: { $in: accounts } }).toArray();
        const before = new Map(found.map((document) => [document._id, document]));
        const isDue = (userId: AccountKey): boolean => {
          const applied = new Set(before.get(userId)?.applied);
          return idsOf.get(userId)?.some((id) => !applied.has(id)) === true;
        };
        const due = accounts.filter(isDue);
        if (due.length === 0) return undefined;
        const changes = [...(await pendingOf(due))].flatMap(([userId, pending]) => {
          const document = before.get(userId) ?? null;
          const after = withPending(userId, document, pending, idsOf.get(userId) ?? []);
          return after === undefined ? [] : [{ before: document, after }];
        });
        for (const { after } of changes) noteLength(after);
        return changes.length === 0 || (await replaceAll(changes)) ? undefined : CONFLICT;
      });
    },
  };
}
