import { IN_BACKGROUND, readByIdRanges } from '@najwa/common/mongo';
import { inboxOf } from '../inbox/inbox-store.js';
import type { CountRepository } from '../store/counts.js';
import type { MessageDocument, MessageRecord, SenderTags } from '../store/message-record.js';
import { notDeleted, receivedIndex, shownAside, stored, widthOf, type StoredMessages } from '../store/messages.js';
import type { EmptiedFolder } from './rules-store.js';

const LATEST = 128;

const arrived = { ...stored, 'aside.reason': { $nin: ['deleted', 'later'] as const } };

/** Messages set aside by blocks and filters, and the tags that blocks compare. */
export interface AsideStore {
  listSince(userId: number, time: Date, limit: number): Promise<number[]>;
  findEmptied(folder: EmptiedFolder, limit: number): Promise<MessageRecord[]>;
  /** Set aside before `time`, neither discarded nor scheduled for delivery. */
  findBefore(time: Date, limit: number): Promise<MessageRecord[]>;
  countBefore(time: Date, limit: number): Promise<number>;
  count(): Promise<number>;
  /** Tags of the newest messages to an account, in the inbox or set aside. */
  listTags(userId: number, since: Date, limit: number): Promise<SenderTags[]>;
}

export function createAsideStore(
  { model, find }: StoredMessages,
  counts: Pick<CountRepository, 'summary'>,
): AsideStore {
  const before = (time: Date) => ({
    'aside.at': { $gt: new Date(0), $lt: time },
    'aside.discardedAt': null,
    // Scheduled deliveries end by themselves.
    'aside.deliverAt': null,
    ...notDeleted,
  });
  return {
    async listSince(userId, time, limit) {
      const later = { ...shownAside(userId), 'aside.at': { $gt: time }, ...stored };
      const found = await model
        .find(later, { _id: 0, id: 1 }, { hint: receivedIndex })
        .limit(limit)
        .lean<Pick<MessageDocument, 'id'>[]>();
      return found.map(({ id }) => id);
    },
    findEmptied: ({ userId, emptiedAt, emptiedIds }, limit) =>
      find(
        {
          ...shownAside(userId),
          $or: [{ 'aside.at': { $lte: emptiedAt } }, { id: { $in: emptiedIds } }],
          ...stored,
        },
        // The order of storage differs by who wrote, and the owner's stream follows this one.
        { hint: receivedIndex, sort: { id: 1 }, limit },
      ),
    findBefore: (time, limit) => find(before(time), { limit }),
    countBefore: (time, limit) => model.countDocuments(before(time)).limit(limit),
    count: () => model.countDocuments({ 'aside.at': { $gt: new Date(0) } }, IN_BACKGROUND),
    async listTags(userId, since, limit) {
      const inbox = inboxOf(await counts.summary(userId));
      let isPast = false;
      const { found } = await readByIdRanges({
        async find(range, max) {
          if (isPast) return [];
          const inRange = await model
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
    },
  };
}
