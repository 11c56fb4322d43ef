import type { OutboxEntry } from '@najwa/common/amqp';
import {
  changeOf,
  NO_ACCOUNT,
  STORED_FIELDS,
  wordsOf,
  type AccountKey,
  type Change,
  type MessageRecord,
} from '../store/message-record.js';
import { stored, type StoredMessages } from '../store/messages.js';

export class AccountStore {
  readonly #messages;

  constructor(messages: StoredMessages) {
    this.#messages = messages;
  }

  /** In the inbox or not. */
  findReceivedBy(userId: number, limit: number): Promise<MessageRecord[]> {
    return this.#messages.find({ userId: { $in: [userId, -userId] }, ...stored }, { limit });
  }
  /** @param sender tag of the account */
  findSentBy(sender: string, limit: number): Promise<MessageRecord[]> {
    return this.#messages.find({ senderUserId: sender, ...stored }, { limit });
  }
  async forgetSender(id: number, eventOf: (change: Change) => OutboxEntry): Promise<void> {
    await this.#messages.rewrite(id, (current) => {
      if (current.sender === null) return null;
      const { wayBack: _wayBack, tags, ...kept } = current;
      const forgotten = { sealedSender: null, revision: current.revision + 1 };
      const after: MessageRecord = { ...kept, ...forgotten, sender: null };
      return {
        after,
        update: {
          $set: { ...forgotten, senderUserId: null, ...(tags && { tags: { ...tags, account: null } }) },
          $unset: { wayBack: 1 },
        },
        events: [eventOf(changeOf(current, after))],
      };
    });
  }
  /** The sender's list keeps the message. */
  async forgetRecipient(id: number, eventsOf: (before: MessageRecord, change: Change) => OutboxEntry[]): Promise<void> {
    await this.#messages.rewrite(id, (current) => {
      const forgotten = {
        userId: NO_ACCOUNT,
        isRead: false,
        isPublic: false,
        audio: null,
        reply: null,
        sealedSender: null,
        revision: current.revision + 1,
      };
      const after: MessageRecord = { ...keptForSender(current), ...forgotten, aside: null };
      return {
        after,
        update: {
          $set: { ...forgotten, words: wordsOf(after) },
          $unset: notKeptForSender(Object.keys(forgotten)),
        },
        events: eventsOf(current, changeOf(current, after)),
      };
    });
  }
  /** Includes unpublished events. */
  async hasTraceOf(userId: number, keys: readonly AccountKey[]): Promise<boolean> {
    return (
      (await this.#messages.model.exists({ userId: { $in: [userId, -userId] } })) !== null ||
      (await this.#messages.model.exists({ 'outbox.counts.userId': { $in: [...keys] } })) !== null
    );
  }
  findFilesToWithhold(userId: number, isWithheld: boolean, limit: number): Promise<MessageRecord[]> {
    return this.#messages.find(
      {
        userId,
        isPublic: true,
        isWithheld: isWithheld ? { $ne: true } : true,
        $or: [{ imageName: { $ne: null } }, { audio: { $ne: null } }],
        ...stored,
      },
      { sort: { id: 1 }, limit },
    );
  }
  async findByFiles(names: readonly string[]): Promise<MessageRecord[]> {
    const found = await Promise.all([
      this.#messages.find({ imageName: { $in: [...names] }, ...stored }),
      this.#messages.find({ 'audio.name': { $in: [...names] }, ...stored }),
    ]);
    return found.flat();
  }
  /** Includes deletions that can be undone. */
  async findAsSent(sentId: number, sentAt: Date): Promise<MessageRecord | null> {
    return (
      (await this.#messages.findOne({ 'sentAs.id': { $in: [sentId, -sentId] }, 'sentAs.at': sentAt, ...stored })) ??
      this.#messages.findOne({ id: sentId, createdAt: sentAt, ...stored })
    );
  }
}

/** What sender, retries and moderators still need. */
const KEPT_FOR_SENDER = [
  ...(['id', 'sentAs', 'createdAt', 'sender', 'hiddenFromSender', 'content', 'imageName'] as const),
  ...(['submission', 'isReported', 'isWithheld', 'warnedAt'] as const),
] satisfies (keyof MessageRecord)[];

const keptForSender = (message: MessageRecord) =>
  Object.fromEntries(
    KEPT_FOR_SENDER.filter((field) => message[field] !== undefined).map((field) => [field, message[field]]),
  ) as Pick<MessageRecord, (typeof KEPT_FOR_SENDER)[number]>;

function notKeptForSender(set: string[]): Record<string, 1> {
  const staying = new Set<string>(['_id', 'senderUserId', 'words', 'outbox', ...KEPT_FOR_SENDER, ...set]);
  return Object.fromEntries(STORED_FIELDS.filter((field) => !staying.has(field)).map((field) => [field, 1]));
}
