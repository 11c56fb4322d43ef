import type { MessageRecord } from '../store/message-record.js';
import { stored, type StoredMessages } from '../store/messages.js';

/** Then it is due again. */
const CLAIM_MS = 30_000;

export class HeldStore {
  readonly #messages;

  constructor(messages: StoredMessages) {
    this.#messages = messages;
  }

  /** Held by an action since `since` and not scheduled. */
  find(actionId: number, since: Date, limit: number): Promise<MessageRecord[]> {
    return this.#messages.find(
      {
        'aside.at': { $gte: since },
        'aside.actionId': actionId,
        'aside.reason': 'held',
        'aside.discardedAt': null,
        'aside.deliverAt': null,
        ...stored,
      },
      { limit },
    );
  }
  /** Due, earliest first. */
  findDeliverable(now: Date, limit: number): Promise<MessageRecord[]> {
    return this.#messages.find(
      { 'aside.deliverAt': { $gt: new Date(0), $lte: now }, 'aside.discardedAt': null, ...stored },
      { sort: { 'aside.deliverAt': 1 }, limit },
    );
  }
  /** For one process: a second one's id would leave a gap at each delivery. */
  async claim({ id, revision, aside }: MessageRecord): Promise<boolean> {
    const unclaimed = { id, revision, 'aside.deliverAt': aside?.deliverAt ?? null };
    const { modifiedCount } = await this.#messages.model.updateOne(unclaimed, {
      $set: { 'aside.deliverAt': new Date(Date.now() + CLAIM_MS) },
    });
    return modifiedCount === 1;
  }
}
