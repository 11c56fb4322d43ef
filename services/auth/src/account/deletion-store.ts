import type { OutboxEntry } from '@najwa/common/amqp';
import { retryOnDeadlock } from '@najwa/common/mongo';
import type { Model } from 'mongoose';
import { changeUser, DEFAULTS, type Erasure, type UserDocument, type UserRecord } from './user-store.js';

type Due = Pick<UserRecord, 'id' | 'username' | 'avatarName'>;
type Erasing = Pick<UserRecord, 'id'> & { erasure: Erasure };

const notErased = { erasure: null };

/** Each step is an idempotent write. */
export class DeletionRepository {
  constructor(private readonly model: Model<UserDocument>) {}

  /** @returns false, without a write, if the password has changed or the account is closed */
  close({ id, passwordChangedAt }: UserRecord, deletesAt: Date, event: OutboxEntry): Promise<boolean> {
    return changeUser(
      this.model,
      { id, passwordChangedAt, deletesAt: null, ...notErased },
      { $set: { deletesAt }, $push: { outbox: event } },
    );
  }
  /** @returns false, without a write, if it is open */
  reopen(id: number, event: OutboxEntry): Promise<boolean> {
    return changeUser(
      this.model,
      { id, deletesAt: { $ne: null }, ...notErased },
      { $set: { deletesAt: null }, $push: { outbox: event } },
    );
  }
  countAdministrators(): Promise<number> {
    return this.model.countDocuments({ isAdmin: true, deletesAt: null, ...notErased });
  }
  countDue(now: Date, limit: number): Promise<number> {
    return this.model.countDocuments({ deletesAt: { $lte: now }, ...notErased }).limit(limit);
  }
  estimateTotal(): Promise<number> {
    return this.model.estimatedDocumentCount();
  }
  findDue(now: Date, limit: number): Promise<Due[]> {
    return this.model
      .find({ deletesAt: { $lte: now }, ...notErased }, { id: 1, username: 1, avatarName: 1 })
      .limit(limit)
      .lean<Due[]>();
  }
  /** @returns false if the account was reopened */
  beginErasure(id: number, now: Date, erasure: Erasure, event: OutboxEntry): Promise<boolean> {
    const nothing = `deleted ${id}`;
    return changeUser(
      this.model,
      { id, deletesAt: { $lte: now }, ...notErased },
      {
        $set: {
          ...DEFAULTS,
          username: '',
          // The index wants each to differ. Usernames have no spaces, so none is taken.
          usernameSkeleton: nothing,
          submission: { key: nothing, content: '' },
          name: '',
          passwordHash: '',
          erasure,
        },
        $unset: { createdAt: 1 },
        $push: { outbox: event },
      },
    );
  }
  findErasing(limit: number): Promise<Erasing[]> {
    return this.model
      .find({ 'erasure.announcedAt': { $gt: new Date(0) } }, { id: 1, erasure: 1 })
      .sort({ 'erasure.announcedAt': 1 })
      .limit(limit)
      .lean<Erasing[]>();
  }
  /** Skipped if another replica did. */
  async announceAgain({ id, erasure: { announcedAt } }: Erasing, now: Date, event: OutboxEntry): Promise<void> {
    const change = { $set: { 'erasure.announcedAt': now }, $push: { outbox: event } };
    await changeUser(this.model, { id, 'erasure.announcedAt': announcedAt }, change);
  }
  /** @returns false if the account is not being erased */
  async acknowledge(id: number, service: string): Promise<boolean> {
    const { matchedCount } = await retryOnDeadlock(() =>
      this.model.updateOne({ id, erasure: { $ne: null } }, { $pull: { 'erasure.waiting': service } }),
    );
    return matchedCount === 1;
  }
  /** Skipped while services are pending. */
  async finishErasure(id: number): Promise<void> {
    await this.model.deleteOne({ id, erasure: { $ne: null }, 'erasure.waiting': { $size: 0 } });
  }
}
