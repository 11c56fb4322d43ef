import type { OutboxEntry } from '@najwa/common/amqp';
import { retryOnDeadlock } from '@najwa/common/mongo';
import type { Connection } from 'mongoose';
import { DEFAULTS, userModel, type Erasure, type UserRecord } from './users.js';

type Erasing = Pick<UserRecord, 'id'> & { erasure: Erasure };

/** Each step is an idempotent write. */
export interface DeletionRepository {
  /** @returns false, without a write, if the password has changed or the account is closed */
  close(user: UserRecord, deletesAt: Date, event: OutboxEntry): Promise<boolean>;
  /** @returns false, without a write, if it is open */
  reopen(id: number, event: OutboxEntry): Promise<boolean>;
  countAdministrators(): Promise<number>;
  countDue(now: Date, limit: number): Promise<number>;
  estimateTotal(): Promise<number>;
  findDue(now: Date, limit: number): Promise<Pick<UserRecord, 'id' | 'username' | 'avatarName'>[]>;
  /** @returns false if the account was reopened */
  beginErasure(id: number, now: Date, erasure: Erasure, event: OutboxEntry): Promise<boolean>;
  findErasing(limit: number): Promise<Erasing[]>;
  /** Skipped if another replica did. */
  announceAgain(erasing: Erasing, now: Date, event: OutboxEntry): Promise<void>;
  /** @returns false if the account is not being erased */
  acknowledge(id: number, service: string): Promise<boolean>;
  /** Skipped while services are pending. */
  finishErasure(id: number): Promise<void>;
}

export function createDeletionRepository(connection: Connection): DeletionRepository {
  const model = userModel(connection);
  const notErased = { erasure: null };

  return {
    async close({ id, passwordChangedAt }, deletesAt, event) {
      const { modifiedCount } = await retryOnDeadlock(() =>
        model.updateOne(
          { id, passwordChangedAt, deletesAt: null, ...notErased },
          { $set: { deletesAt }, $push: { outbox: event } },
        ),
      );
      return modifiedCount === 1;
    },
    async reopen(id, event) {
      const { modifiedCount } = await retryOnDeadlock(() =>
        model.updateOne(
          { id, deletesAt: { $ne: null }, ...notErased },
          { $set: { deletesAt: null }, $push: { outbox: event } },
        ),
      );
      return modifiedCount === 1;
    },
    countAdministrators: () => model.countDocuments({ isAdmin: true, deletesAt: null, ...notErased }),
    countDue: (now, limit) => model.countDocuments({ deletesAt: { $lte: now }, ...notErased }).limit(limit),
    estimateTotal: () => model.estimatedDocumentCount(),
    findDue: (now, limit) =>
      model
        .find({ deletesAt: { $lte: now }, ...notErased }, { id: 1, username: 1, avatarName: 1 })
        .limit(limit)
        .lean<Pick<UserRecord, 'id' | 'username' | 'avatarName'>[]>(),
    async beginErasure(id, now, erasure, event) {
      const nothing = `deleted ${id}`;
      const { modifiedCount } = await retryOnDeadlock(() =>
        model.updateOne(
          { id, deletesAt: { $lte: now }, ...notErased },
          {
            $set: {
              ...DEFAULTS,
              username: '',
              // Unique placeholder: usernames have no spaces.
              usernameSkeleton: nothing,
              submission: { key: nothing, content: '' },
              name: '',
              passwordHash: '',
              erasure,
            },
            $unset: { createdAt: 1 },
            $push: { outbox: event },
          },
        ),
      );
      return modifiedCount === 1;
    },
    findErasing: (limit) =>
      model
        .find({ 'erasure.announcedAt': { $gt: new Date(0) } }, { id: 1, erasure: 1 })
        .sort({ 'erasure.announcedAt': 1 })
        .limit(limit)
        .lean<Erasing[]>(),
    async announceAgain({ id, erasure: { announcedAt } }, now, event) {
      await retryOnDeadlock(() =>
        model.updateOne(
          { id, 'erasure.announcedAt': announcedAt },
          { $set: { 'erasure.announcedAt': now }, $push: { outbox: event } },
        ),
      );
    },
    async acknowledge(id, service) {
      const { matchedCount } = await retryOnDeadlock(() =>
        model.updateOne({ id, erasure: { $ne: null } }, { $pull: { 'erasure.waiting': service } }),
      );
      return matchedCount === 1;
    },
    async finishErasure(id) {
      await model.deleteOne({ id, erasure: { $ne: null }, 'erasure.waiting': { $size: 0 } });
    },
  };
}
