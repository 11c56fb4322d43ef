import type { MessageRecord } from '../store/message-record.js';
import { stored, type StoredMessages } from '../store/messages.js';

/** The messages that actions of moderators hold. */
export interface HeldStore {
  /** Those of an action that began at a time, without those that are to be delivered. */
  find(actionId: number, since: Date, limit: number): Promise<MessageRecord[]>;
  /** Those whose time has come, in its order. */
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
