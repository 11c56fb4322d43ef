import { retryOnDeadlock, AppError, isDuplicateKey, type IdSpan, type OutboxEntry } from '@najwa/common';
import type { Connection, mongo } from 'mongoose';
import type { MessageRecord } from './messages.js';

/** Of one account, without what was deleted or hidden. */
export interface MessageCounts {
  received: number;
  read: number;
  public: number;
  sent: number;
}

/** By how much a change of one message changes an account's counts. */
export interface CountChange extends Partial<MessageCounts> {
  userId: number;
}

/** An entry of a message's outbox that also changes counts. */
export interface CountingEntry extends OutboxEntry {
  counts?: CountChange[];
}

/** The index by which changes are found that wait in messages. */
export const pendingCountsIndex: mongo.IndexDescription = {
  key: { 'outbox.counts.userId': 1 },
  name: 'pending_counts',
  sparse: true,
};

const NAMES = ['received', 'read', 'public', 'sent'] as const;
const NOTHING: MessageCounts = { received: 0, read: 0, public: 0, sent: 0 };
const MAX_TRIES = 20;

/** Which messages an account has ever had, from the first to the last id. */
interface AccountSpans {
  receivedIds?: IdSpan | undefined;
  sentIds?: IdSpan | undefined;
}

interface CountsDocument extends MessageCounts, AccountSpans {
  /** Of the account. */
  _id: number;
  version: number;
  /** Ids of entries that are in the counts and may still stand in messages. */
  applied: string[];
}

const add = (a: MessageCounts, b: Partial<MessageCounts>): MessageCounts => ({
  received: a.received + (b.received ?? 0),
  read: a.read + (b.read ?? 0),
  public: a.public + (b.public ?? 0),
  sent: a.sent + (b.sent ?? 0),
});

const widened = (span: IdSpan | undefined, ids: number[]): IdSpan | undefined =>
  ids.length === 0
    ? span
    : { first: Math.min(span?.first ?? Infinity, ...ids), last: Math.max(span?.last ?? 0, ...ids) };

/** What one message counts for, by account. */
function contributionsOf(message: MessageRecord | null): Map<number, MessageCounts> {
  if (message === null) return new Map();
  const { userId, senderUserId, isRead, isPublic, hiddenFromSender } = message;
  const contributions = new Map([
    [userId, { ...NOTHING, received: 1, read: Number(isRead), public: Number(isPublic) }],
  ]);
  if (senderUserId !== null && !hiddenFromSender)
    contributions.set(senderUserId, add(contributions.get(senderUserId) ?? NOTHING, { sent: 1 }));
  return contributions;
}

/** What a change of a message changes. `null` stands for a message that is not there yet, or no more. */
export function countChanges(before: MessageRecord | null, after: MessageRecord | null): CountChange[] {
  const [old, now] = [contributionsOf(before), contributionsOf(after)];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((userId) => {
    const differences = NAMES.map(
      (name) => [name, (now.get(userId)?.[name] ?? 0) - (old.get(userId)?.[name] ?? 0)] as const,
    ).filter(([, by]) => by !== 0);
    return differences.length === 0 ? [] : [{ userId, ...Object.fromEntries(differences) }];
  });
}

/** Lets changes of counts ride with the events of the same write. */
export function withCounts(events: OutboxEntry[], counts: CountChange[]): CountingEntry[] {
  const [first, ...others] = events;
  if (counts.length === 0 || first === undefined) return events;
  return [{ ...first, counts }, ...others];
}

/** Roughly what an account has: without what the relay has not yet taken in. */
export interface Outline {
  counts: MessageCounts;
  receivedIds: IdSpan;
  sentIds: IdSpan;
}

const NO_IDS: IdSpan = { first: 1, last: 0 };

/** A change that still rides in a message. */
interface PendingChange {
  messageId: number;
  /** Of the outbox entry. */
  id: string;
  change: CountChange;
}

export interface CountRepository {
  /** Right after every change, and at the same cost however many messages there are. */
  of(userId: number): Promise<MessageCounts>;
  outline(userId: number): Promise<Outline>;
  /** Takes what rides in these entries into the counts: once, however often it is asked, by however many replicas. */
  apply(entries: OutboxEntry[]): Promise<void>;
}

/**
 * Counts of messages, per account. A change rides in the message that it is about until the outbox relay takes it out; by then
 * it has been taken into the account's document. The counts are that document and what still rides, of which `applied` says
 * what is in both. Everywhere the document is read first, then the messages: if its version has not moved since, both belong together.
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
      receivedIds: widened(document?.receivedIds, added('received')),
      sentIds: widened(document?.sentIds, added('sent')),
    };
  };

  const sumOf = (document: CountsDocument | null, pending: PendingChange[]): MessageCounts => {
    const applied = new Set(document?.applied);
    const { received, read, public: published, sent } = document ?? NOTHING;
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
      // Another replica has applied them and taken them out since.
      if (!ids.some((id) => waiting.has(id) && !applied.has(id))) return;
      // What is no longer in a message never comes back, so that it may be forgotten.
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
    throw busy();
  };

  return {
    async of(userId) {
      for (let tries = 0; tries < MAX_TRIES; tries += 1) {
        const document = await documents.findOne({ _id: userId });
        const pending = await pendingOf(userId);
        const now = await documents.findOne({ _id: userId }, { projection: { version: 1 } });
        if (now?.version === document?.version) return sumOf(document, pending);
      }
      throw busy();
    },
    async outline(userId) {
      const document = await documents.findOne({ _id: userId }, { projection: { applied: 0 } });
      return {
        counts: document ?? NOTHING,
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

const busy = (): AppError =>
  new AppError({
    code: 'unavailable',
    message: 'The counts change too quickly just now. Try again shortly.',
    retryAfter: 1,
  });
