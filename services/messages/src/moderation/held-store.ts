import type { MessageRecord } from '../store/message-record.js';
import { stored, type StoredMessages } from '../store/messages.js';

export interface HeldStore {
  /** Held by an action since `since` and not scheduled. */
  find(actionId: number, since: Date, limit: number): Promise<MessageRecord[]>;
  /** Due, earliest first. */
  findDeliverable(now: Date, limit: number): Promise<MessageRecord[]>;
}

export const createHeldStore = ({ find }: StoredMessages): HeldStore => ({
  find: (actionId, since, limit) =>
    find(
      {
        'aside.at': { $gte: since },
        'aside.actionId': actionId,
        'aside.reason': 'held',
        'aside.discardedAt': null,
        'aside.deliverAt': null,
        ...stored,
      },
      { limit },
    ),
  findDeliverable: (now, limit) =>
    find(
      { 'aside.deliverAt': { $gt: new Date(0), $lte: now }, 'aside.discardedAt': null, ...stored },
      { sort: { 'aside.deliverAt': 1 }, limit },
    ),
});
