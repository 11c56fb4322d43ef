import { IN_BACKGROUND, readByIdRanges } from '@najwa/common/mongo';
import { inboxOf } from '../inbox/inbox-store.js';
import type { CountRepository } from '../store/counts.js';
import type { MessageDocument, MessageRecord, SenderTags } from '../store/message-record.js';
import { notDeleted, receivedIndex, shownAside, stored, widthOf, type StoredMessages } from '../store/messages.js';
import type { EmptiedFolder } from './rules-store.js';

const LATEST = 128;

const arrived = { ...stored, 'aside.reason': { $nin: ['deleted', 'later'] as const } };

const before = (time: Date) => ({
  'aside.at': { $gt: new Date(0), $lt: time },
  'aside.discardedAt': null,
  // Scheduled deliveries end by themselves.
  'aside.deliverAt': null,
  ...notDeleted,
});

/** Messages set aside by blocks and filters, and the tags that blocks compare. */
export class AsideStore {
  readonly #messages;
  readonly #counts;

  constructor(messages: StoredMessages, counts: CountRepository) {
    this.#messages = messages;
    this.#counts = counts;
  }

  async listSince(userId: number, time: Date, limit: number): Promise<number[]> {
    const later = { ...shownAside(userId), 'aside.at': { $gt: time }, ...stored };
    const found = await this.#messages.model
      .find(later, { _id: 0, id: 1 }, { hint: receivedIndex })
      .limit(limit)
      .lean<Pick<MessageDocument, 'id'>[]>();
    return found.map(({ id }) => id);
  }
  findEmptied({ userId, emptiedAt, emptiedIds }: EmptiedFolder, limit: number): Promise<MessageRecord[]> {
    return this.#messages.find(
      {
        ...shownAside(userId),
        $or: [{ 'aside.at': { $lte: emptiedAt } }, { id: { $in: emptiedIds } }],
        ...stored,
      },
      // The order of storage differs by who wrote, and the owner's stream follows this one.
      { hint: receivedIndex, sort: { id: 1 }, limit },
    );
  }
  /** Set aside before `time`, neither discarded nor scheduled for delivery. */
  findBefore(time: Date, limit: number): Promise<MessageRecord[]> {
    return this.#messages.find(before(time), { limit });
  }
  countBefore(time: Date, limit: number): Promise<number> {
    return this.#messages.model.countDocuments(before(time)).limit(limit);
  }
  count(): Promise<number> {
    return this.#messages.model.countDocuments({ 'aside.at': { $gt: new Date(0) } }, IN_BACKGROUND);
  }
  /** Tags of the newest messages to an account, in the inbox or set aside. */
  async listTags(userId: number, since: Date, limit: number): Promise<SenderTags[]> {
    const inbox = inboxOf(await this.#counts.summary(userId));
    let isPast = false;
    const { found } = await readByIdRanges({
      find: async (range, max) => {
        if (isPast) return [];
        const inRange = await this.#messages.model
          .find({ userId: { $in: [userId, -userId] }, ...arrived, ...range }, { tags: 1, createdAt: 1 })
          .sort({ id: -1 })
          .limit(max)
          .lean<Pick<MessageDocument, 'tags' | 'createdAt'>[]>();
        isPast = inRange.some(({ createdAt }) => createdAt <= since);
        return inRange;
      },
      order: 'newest',
      limit,
      span: inbox.span,
      width: widthOf(inbox, LATEST),
    });
    return found.flatMap(({ tags, createdAt }) => (tags && createdAt > since ? tags : []));
  }
}
