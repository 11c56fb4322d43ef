import { createBatcher } from '@najwa/common';
import type { OutboxEntry } from '@najwa/common/amqp';
import { isDuplicateKey, retryOnDeadlock, type IdSpan } from '@najwa/common/mongo';
import { contributionsOf, type AccountKey, type MessageCounts } from '@najwa/product';
import { LRUCache } from 'lru-cache';
import type { Connection, mongo } from 'mongoose';
import { isLater, isPublished, originOf, type MessageRecord } from './message-record.js';
import { CONFLICT, retryOnConflict } from './optimistic.js';
import { addArrivals, recentArrivals, type Arrivals, type WaveRule } from './waves.js';

export type { MessageCounts };

export interface CountChange extends Partial<MessageCounts> {
  userId: AccountKey;
  /** Also for messages set aside, so that senders do not notice. */
  arrived?: 1;
  /** 1 for a held message. Counts towards the wave that held senders see. */
  held?: 1;
}

/** A deletion or unpublication that a restored backup must not undo. */
export interface LedgerNote {
  /** `left` was ended by its sender. */
  kind: 'message' | 'publication' | 'ended' | 'left';
  /** Id and time at sending: a held message gets others on delivery. */
  sentId: number;
  sentAt: Date;
  revision: number;
}

export interface CountingEntry extends OutboxEntry {
  counts?: CountChange[];
  ledger?: LedgerNote;
}

/** Messages a search scans before it uses the word index. */
export const LONG_INBOX = 1_152;

/** Cache size. An evicted inbox returns with its next message. */
const MAX_REMEMBERED = 50_000;

const MESSAGE_COUNTS = 'message_counts';
/** Of one batch, which ends at 16 MB. */
const MOST_PENDING = 100_000;
const NAMES = ['received', 'read', 'public', 'sent'] as const;
const ZERO: MessageCounts = { received: 0, read: 0, public: 0, sent: 0 };

interface AccountSpans {
  receivedIds?: IdSpan | undefined;
  sentIds?: IdSpan | undefined;
}

interface CountsDocument extends MessageCounts, AccountSpans {
  /** Sent messages are keyed by the account's tag, so that counts do not identify senders. */
  _id: AccountKey;
  /** Inbox only. */
  arrivals?: Arrivals | undefined;
  /** Inbox and set aside. */
  allArrivals?: Arrivals | undefined;
  /** Inbox, set aside and held. */
  heldArrivals?: Arrivals | undefined;
  version: number;
  /** Outbox entries included in the counts that may still be in a message. */
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
 * @param before null for a new message
 * @param after null for a deletion
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
    // Held messages count apart: the recipient must not notice a wave of unseen messages.
    if ((before === null || isLater(before)) && userId === after?.userId && !isLater(after))
      differences.push([after.aside?.reason === 'held' ? 'held' : 'arrived', 1]);
    return differences.length === 0 ? [] : [{ userId, ...Object.fromEntries(differences) }];
  });
}

export function withCounts(events: OutboxEntry[], counts: CountChange[], ledger?: LedgerNote): CountingEntry[] {
  const [first, ...others] = events;
  if (first === undefined || (counts.length === 0 && ledger === undefined)) return events;
  return [{ ...first, ...(counts.length > 0 && { counts }), ...(ledger && { ledger }) }, ...others];
}

function lostKind(before: MessageRecord, after: MessageRecord | null): LedgerNote['kind'] | undefined {
  if (after === null) return 'message';
  if (after.conversation?.hasEnded === true) {
    if (before.wayBack !== undefined && after.wayBack === undefined) return 'left';
    if (before.conversation?.hasEnded !== true) return 'ended';
  }
  return isPublished(before) && !isPublished(after) ? 'publication' : undefined;
}

/** @param after null for a deletion */
export function ledgerNote(before: MessageRecord, after: MessageRecord | null): LedgerNote | undefined {
  const kind = lostKind(before, after);
  if (kind === undefined) return undefined;
  const { id: sentId, at: sentAt } = originOf(before);
  return { kind, sentId, sentAt, revision: before.revision + 1 };
}

/** Eventually consistent: lacks changes that the relay has not applied yet. */
export interface CountSummary {
  counts: MessageCounts;
  receivedIds: IdSpan;
  sentIds: IdSpan;
}

const NO_IDS: IdSpan = { first: 1, last: 0 };

interface PendingChange {
  messageId: number;
  id: string;
  at: Date;
  change: CountChange;
}

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

/**
 * A change is written to its message's outbox; the relay adds it to the account's document before it removes the entry.
 * Counts are the document plus pending entries not in `applied`. Readers read document, messages, then the version
 * again to detect a change in between.
 */
export class CountRepository {
  readonly #documents;
  readonly #longInboxes = new LRUCache<AccountKey, true>({ max: MAX_REMEMBERED });
  readonly #arrivalsOf = createBatcher<number, Record<'inbox' | 'all' | 'held', Arrivals | undefined>>({
    runBatch: async (ids) => {
      const projection = { received: 1, arrivals: 1, allArrivals: 1, heldArrivals: 1 };
      const found = await this.#documents.find({ _id: { $in: ids } }, { projection }).toArray();
      for (const document of found) this.#noteLength(document);
      const byId = new Map(found.map((document) => [document._id, document]));
      return ids.map((id) => {
        const { arrivals: inbox, allArrivals: all, heldArrivals: held } = byId.get(id) ?? {};
        return { inbox, all, held };
      });
    },
  });

  constructor(
    connection: Connection,
    private readonly messages: mongo.Collection,
    private readonly wave: WaveRule,
  ) {
    this.#documents = connection.collection<CountsDocument>(MESSAGE_COUNTS);
  }

  /** Exact, at a cost independent of the number of messages. */
  async of(...keys: AccountKey[]): Promise<MessageCounts> {
    const found = await Promise.all(keys.map((key) => this.#countsOf(key)));
    return found.reduce(add, ZERO);
  }
  async summary(...keys: AccountKey[]): Promise<CountSummary> {
    const found = await this.#documents.find({ _id: { $in: keys } }, { projection: { applied: 0 } }).toArray();
    const spanOf = (name: 'receivedIds' | 'sentIds'): IdSpan =>
      widen(
        undefined,
        found.flatMap(({ [name]: span }) => (span ? [span.first, span.last] : [])),
      ) ?? NO_IDS;
    return { counts: found.reduce(add, ZERO), receivedIds: spanOf('receivedIds'), sentIds: spanOf('sentIds') };
  }
  /**
   * An unusual burst of messages, slightly delayed.
   * @param place `inbox` for the owner, `all` and `held` for senders, who must not learn that their messages are hidden
   */
  async findWave(userId: number, place: 'inbox' | 'all' | 'held'): Promise<{ count: number; minutes: number } | null> {
    const { count, isWave } = recentArrivals(this.wave, (await this.#arrivalsOf(userId))[place], new Date());
    return isWave ? { count, minutes: Math.round(this.wave.seconds / 60) } : null;
  }
  isLong(userId: number): boolean {
    return this.#longInboxes.has(userId);
  }
  /** Requires that no message has pending changes for the account. */
  async remove(keys: readonly AccountKey[]): Promise<void> {
    await this.#documents.deleteMany({ _id: { $in: [...keys] } });
  }
  /** Idempotent, also across replicas. */
  async apply(entries: OutboxEntry[]): Promise<void> {
    const idsOf = new Map<AccountKey, string[]>();
    for (const { id, counts = [] } of entries as CountingEntry[]) {
      for (const { userId } of counts) idsOf.set(userId, [...(idsOf.get(userId) ?? []), id]);
    }
    // Sorted, so that replicas do not deadlock.
    const accounts = [...idsOf.keys()].sort((a, b) => String(a).localeCompare(String(b)));
    if (accounts.length === 0) return;
    await retryOnConflict('The counts are', async () => {
      const found = await this.#documents.find({ _id: { $in: accounts } }).toArray();
      const before = new Map(found.map((document) => [document._id, document]));
      const isDue = (userId: AccountKey): boolean => {
        const applied = new Set(before.get(userId)?.applied);
        return idsOf.get(userId)?.some((id) => !applied.has(id)) === true;
      };
      const due = accounts.filter(isDue);
      if (due.length === 0) return undefined;
      const changes = [...(await this.#pendingOf(due))].flatMap(([userId, pending]) => {
        const document = before.get(userId) ?? null;
        const after = this.#withPending(userId, document, pending, idsOf.get(userId) ?? []);
        return after === undefined ? [] : [{ before: document, after }];
      });
      for (const { after } of changes) this.#noteLength(after);
      return changes.length === 0 || (await this.#replaceAll(changes)) ? undefined : CONFLICT;
    });
  }

  #noteLength({ _id, received }: Pick<CountsDocument, '_id' | 'received'>): void {
    if (received > LONG_INBOX) this.#longInboxes.set(_id, true);
  }
  async #pendingOf(userIds: readonly AccountKey[]): Promise<Map<AccountKey, PendingChange[]>> {
    const pending = new Map<AccountKey, PendingChange[]>(userIds.map((userId) => [userId, []]));
    // In one batch: between batches a changed document may move, and be found twice or not at all.
    const found = this.messages.find<{ id: number; outbox: CountingEntry[] }>(
      { 'outbox.counts.userId': { $in: [...userIds] } },
      { projection: { _id: 0, id: 1, 'outbox.id': 1, 'outbox.at': 1, 'outbox.counts': 1 }, batchSize: MOST_PENDING },
    );
    for (const { id: messageId, outbox } of await found.toArray())
      for (const { id, at, counts = [] } of outbox)
        for (const change of counts) pending.get(change.userId)?.push({ messageId, id, at, change });
    return pending;
  }
  /** Ignores entries older than a window, as after an outage. */
  #arrivalsWith(
    document: CountsDocument | null,
    pending: PendingChange[],
  ): Pick<CountsDocument, 'arrivals' | 'allArrivals' | 'heldArrivals'> {
    const now = new Date();
    const applied = new Set(document?.applied);
    const sent = pending.filter(
      ({ id, at, change }) =>
        (change.arrived ?? change.held) === 1 &&
        !applied.has(id) &&
        now.getTime() - at.getTime() < this.wave.seconds * 1000,
    );
    const arrived = sent.filter(({ change }) => change.arrived === 1);
    const inInbox = arrived.filter(({ change }) => change.received === 1);
    const added = (to: Arrivals | undefined, { length }: PendingChange[]): Arrivals | undefined =>
      length === 0 ? to : addArrivals(this.wave, to, length, now);
    return {
      arrivals: added(document?.arrivals, inInbox),
      allArrivals: added(document?.allArrivals, arrived),
      heldArrivals: added(document?.heldArrivals, sent),
    };
  }
  /** Undefined if all of `ids` are applied already. */
  #withPending(
    userId: AccountKey,
    document: CountsDocument | null,
    pending: PendingChange[],
    ids: readonly string[],
  ): CountsDocument | undefined {
    const applied = new Set(document?.applied);
    const waiting = new Set(pending.map(({ id }) => id));
    // Another replica may have applied and removed some.
    if (!ids.some((id) => waiting.has(id) && !applied.has(id))) return undefined;
    return {
      _id: userId,
      ...sumOf(document, pending),
      ...spansWith(document, pending),
      ...this.#arrivalsWith(document, pending),
      version: (document?.version ?? 0) + 1,
      // An entry removed from its message never returns.
      applied: [...waiting],
    };
  }
  /** @returns false if another write came first */
  async #replaceAll(changes: readonly { before: CountsDocument | null; after: CountsDocument }[]): Promise<boolean> {
    const writes = changes.map(({ before, after }) =>
      before === null
        ? { insertOne: { document: after } }
        : { replaceOne: { filter: { _id: before._id, version: before.version }, replacement: after } },
    );
    try {
      const { modifiedCount, insertedCount } = await retryOnDeadlock(() =>
        this.#documents.bulkWrite(writes, { ordered: false }),
      );
      return modifiedCount + insertedCount === changes.length;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }
  #countsOf(userId: AccountKey): Promise<MessageCounts> {
    return retryOnConflict('The counts are', async () => {
      const document = await this.#documents.findOne({ _id: userId });
      const pending = (await this.#pendingOf([userId])).get(userId) ?? [];
      const now = await this.#documents.findOne({ _id: userId }, { projection: { version: 1 } });
      return now?.version === document?.version ? sumOf(document, pending) : CONFLICT;
    });
  }
}
