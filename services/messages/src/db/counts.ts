import { retryOnDeadlock, AppError, isDuplicateKey, type IdSpan, type OutboxEntry } from '@najwa/common';
import type { Connection, mongo } from 'mongoose';
import type { MessageRecord } from './message-record.js';

/** Message counts of one account. Deleted and hidden messages do not count. */
export interface MessageCounts {
  received: number;
  read: number;
  public: number;
  sent: number;
}

/** The difference that one change of a message makes to an account's counts. */
export interface CountChange extends Partial<MessageCounts> {
  userId: number;
}

/** An outbox entry that also carries changes of counts. */
export interface CountingEntry extends OutboxEntry {
  counts?: CountChange[];
}

/** Finds the changes of counts that are still in the outbox of a message. */
export const pendingCountsIndex: mongo.IndexDescription = {
  key: { 'outbox.counts.userId': 1 },
  name: 'pending_counts',
  sparse: true,
};

const NAMES = ['received', 'read', 'public', 'sent'] as const;
const ZERO: MessageCounts = { received: 0, read: 0, public: 0, sent: 0 };
const MAX_TRIES = 20;

/** First and last id of all messages that an account ever received or sent. */
interface AccountSpans {
  receivedIds?: IdSpan | undefined;
  sentIds?: IdSpan | undefined;
}

interface CountsDocument extends MessageCounts, AccountSpans {
  /** The account's id. */
  _id: number;
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

/** The counts that one message contributes, by account. */
function contributionsOf(message: MessageRecord | null): Map<number, MessageCounts> {
  if (message === null) return new Map();
  const { userId, senderUserId, isRead, isPublic, hiddenFromSender } = message;
  const contributions = new Map([[userId, { ...ZERO, received: 1, read: Number(isRead), public: Number(isPublic) }]]);
  if (senderUserId !== null && !hiddenFromSender)
    contributions.set(senderUserId, add(contributions.get(senderUserId) ?? ZERO, { sent: 1 }));
  return contributions;
}

/**
 * The changes of counts that a change of a message causes.
 * @param before null for a new message
 * @param after null for a deleted message
 */
export function countChanges(before: MessageRecord | null, after: MessageRecord | null): CountChange[] {
  const [old, now] = [contributionsOf(before), contributionsOf(after)];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((userId) => {
    const differences = NAMES.map(
      (name) => [name, (now.get(userId)?.[name] ?? 0) - (old.get(userId)?.[name] ?? 0)] as const,
    ).filter(([, by]) => by !== 0);
    return differences.length === 0 ? [] : [{ userId, ...Object.fromEntries(differences) }];
  });
}

/** Attaches changes of counts to the events of the same write. */
export function withCounts(events: OutboxEntry[], counts: CountChange[]): CountingEntry[] {
  const [first, ...others] = events;
  if (counts.length === 0 || first === undefined) return events;
  return [{ ...first, counts }, ...others];
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
  change: CountChange;
}

export interface CountRepository {
  /** Exact after every change. The cost does not depend on the number of messages. */
  of(userId: number): Promise<MessageCounts>;
  summary(userId: number): Promise<CountSummary>;
  /** Adds the changes in these entries to the counts. Idempotent, also across replicas. */
  apply(entries: OutboxEntry[]): Promise<void>;
}

/**
 * Message counts per account. A change of counts is written into the outbox of its message, and the outbox relay adds
 * it to the account's document before it removes the entry. The counts are that document plus the entries that are
 * still in a message; `applied` names the entries that are in both. Readers read the document, then the messages, then
 * the document's version: if the version is the same, both belong together.
 */
export function createCountRepository(connection: Connection, messages: mongo.Collection): CountRepository {
  const documents = connection.collection<CountsDocument>('message_counts');

  const pendingOf = async (userId: number): Promise<PendingChange[]> => {
    const found = await messages
      .find<{ id: number; outbox: CountingEntry[] }>(
        { 'outbox.counts.userId': userId },
        { projection: { _id: 0, id: 1, 'outbox.id': 1, 'outbox.counts': 1 } },
      )
      .toArray();
    return found.flatMap(({ id: messageId, outbox }) =>
      outbox.flatMap(({ id, counts = [] }) =>
        counts.filter((change) => change.userId === userId).map((change) => ({ messageId, id, change })),
      ),
    );
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

  const replace = async (before: CountsDocument | null, after: CountsDocument): Promise<boolean> => {
    if (before === null) {
      try {
        await retryOnDeadlock(() => documents.insertOne(after));
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    }
    const { modifiedCount } = await documents.replaceOne({ _id: before._id, version: before.version }, after);
    return modifiedCount === 1;
  };

  const applyTo = async (userId: number, ids: string[]): Promise<void> => {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const document = await documents.findOne({ _id: userId });
      const applied = new Set(document?.applied);
      if (ids.every((id) => applied.has(id))) return;
      const pending = await pendingOf(userId);
      const waiting = new Set(pending.map(({ id }) => id));
      // Another replica has applied them and removed them from their messages.
      if (!ids.some((id) => waiting.has(id) && !applied.has(id))) return;
      // An entry that left its message never returns, so `applied` need not keep it.
      const version = (document?.version ?? 0) + 1;
      if (
        await replace(document, {
          _id: userId,
          ...sumOf(document, pending),
          ...spansWith(document, pending),
          version,
          applied: [...waiting],
        })
      )
        return;
    }
    throw contended();
  };

  return {
    async of(userId) {
      for (let tries = 0; tries < MAX_TRIES; tries += 1) {
        const document = await documents.findOne({ _id: userId });
        const pending = await pendingOf(userId);
        const now = await documents.findOne({ _id: userId }, { projection: { version: 1 } });
        if (now?.version === document?.version) return sumOf(document, pending);
      }
      throw contended();
    },
    async summary(userId) {
      const document = await documents.findOne({ _id: userId }, { projection: { applied: 0 } });
      return {
        counts: document ?? ZERO,
        receivedIds: document?.receivedIds ?? NO_IDS,
        sentIds: document?.sentIds ?? NO_IDS,
      };
    },
    async apply(entries) {
      const idsOf = new Map<number, string[]>();
      for (const { id, counts = [] } of entries as CountingEntry[]) {
        for (const { userId } of counts) idsOf.set(userId, [...(idsOf.get(userId) ?? []), id]);
      }
      await Promise.all([...idsOf].map(([userId, ids]) => applyTo(userId, ids)));
    },
  };
}

const contended = (): AppError =>
  new AppError({
    code: 'unavailable',
    message: 'The counts are being changed by others. Try again shortly.',
    retryAfter: 1,
  });
