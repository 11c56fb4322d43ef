import { stored, type StoredMessages } from '../store/messages.js';

export type HeldStore = ReturnType<typeof createHeldStore>;

export const createHeldStore = ({ find }: StoredMessages) => ({
  /** Held by an action since `since` and not scheduled. */
  find: (actionId: number, since: Date, limit: number) =>
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
  /** Due, earliest first. */
  findDeliverable: (now: Date, limit: number) =>
    find(
      { 'aside.deliverAt': { $gt: new Date(0), $lte: now }, 'aside.discardedAt': null, ...stored },
      { sort: { 'aside.deliverAt': 1 }, limit },
    ),
});
