import type { Connection } from 'mongoose';
import { protectionEntry, userModel, type Recovery, type Totp, type UserRecord } from './users.js';

const MAX_KNOWN_DEVICES = 20;

export interface PasswordChange {
  /** Null ends every session. */
  keptSessionId: string | null;
  recoveryHash?: string;
}

export type SessionValidity = Pick<UserRecord, 'id' | 'passwordChangedAt' | 'keptSessionId'>;

/** Stored in the account's document. */
export interface CredentialRepository {
  /**
   * Also invalidates all sessions but one, in the same write.
   * @param user as read when the password or recovery code was verified
   * @returns null, without a write, if the password has changed or the code was used
   */
  changePassword(user: UserRecord, passwordHash: string, change: PasswordChange): Promise<SessionValidity | null>;
  findWithInvalidSessions(limit: number): Promise<SessionValidity[]>;
  clearInvalidSessions(account: SessionValidity): Promise<void>;
  replaceHash(user: UserRecord, passwordHash: string): Promise<void>;
  /**
   * @param options.isNoted already in the ledger
   * @returns false, without a write, if the password has changed
   */
  setRecovery(user: UserRecord, recovery: Recovery, options?: { isNoted: boolean }): Promise<boolean>;
  /** @returns whether the code was unused */
  spendRecoveryHash(id: number, hash: string): Promise<boolean>;
  /** @returns false if a second step is on */
  setPendingTotp(id: number, secret: string): Promise<boolean>;
  /** @returns false if the secret was replaced or confirmed meanwhile */
  confirmTotp(id: number, secret: string, lastStep: number): Promise<boolean>;
  /** @returns false if a code of this or a later step was used */
  spendTotpStep(id: number, step: number): Promise<boolean>;
  removeTotp(id: number): Promise<void>;
  rememberDevice(id: number, device: string): Promise<void>;
  knowsDevice(device: string): Promise<boolean>;
}

/** Uses a recovery code up, also for every restore of an earlier backup. */
const spending = (id: number, hash: string) => ({
  $pull: { 'recovery.hashes': hash },
  $push: { outbox: protectionEntry(id, { spentHash: hash }) },
});

export function createCredentialRepository(connection: Connection): CredentialRepository {
  const model = userModel(connection);
  return {
    async changePassword({ id, passwordChangedAt }, passwordHash, { keptSessionId, recoveryHash }) {
      // Strictly increasing, even if this replica's clock is behind.
      const now = new Date(Math.max(Date.now(), (passwordChangedAt?.getTime() ?? 0) + 1));
      const { modifiedCount } = await model.updateOne(
        { id, passwordChangedAt, ...(recoveryHash !== undefined && { 'recovery.hashes': recoveryHash }) },
        {
          $set: { passwordHash, passwordChangedAt: now, keptSessionId, hasInvalidSessions: true },
          ...(recoveryHash !== undefined && spending(id, recoveryHash)),
        },
      );
      return modifiedCount === 1 ? { id, passwordChangedAt: now, keptSessionId } : null;
    },
    findWithInvalidSessions: (limit) =>
      model
        .find({ hasInvalidSessions: true }, { id: 1, passwordChangedAt: 1, keptSessionId: 1 })
        .limit(limit)
        .lean<SessionValidity[]>(),
    async clearInvalidSessions({ id, passwordChangedAt }) {
      await model.updateOne({ id, passwordChangedAt }, { $unset: { hasInvalidSessions: 1 } });
    },
    async replaceHash({ id, passwordHash: verified }, passwordHash) {
      await model.updateOne({ id, passwordHash: verified }, { $set: { passwordHash } });
    },
    async setRecovery({ id, passwordChangedAt }, recovery, { isNoted } = { isNoted: false }) {
      const { modifiedCount } = await model.updateOne(
        { id, passwordChangedAt },
        { $set: { recovery }, ...(!isNoted && { $push: { outbox: protectionEntry(id, { recovery }) } }) },
      );
      return modifiedCount === 1;
    },
    async spendRecoveryHash(id, hash) {
      const { modifiedCount } = await model.updateOne({ id, 'recovery.hashes': hash }, spending(id, hash));
      return modifiedCount === 1;
    },
    async setPendingTotp(id, pendingTotp) {
      const { modifiedCount } = await model.updateOne({ id, totp: null }, { $set: { pendingTotp } });
      return modifiedCount === 1;
    },
    async confirmTotp(id, secret, lastStep) {
      const totp: Totp = { secret, lastStep, since: new Date() };
      const { modifiedCount } = await model.updateOne(
        { id, totp: null, pendingTotp: secret },
        { $set: { totp, pendingTotp: null } },
      );
      return modifiedCount === 1;
    },
    async spendTotpStep(id, step) {
      const { modifiedCount } = await model.updateOne(
        { id, 'totp.lastStep': { $lt: step } },
        { $set: { 'totp.lastStep': step } },
      );
      return modifiedCount === 1;
    },
    async removeTotp(id) {
      await model.updateOne({ id }, { $set: { totp: null, pendingTotp: null } });
    },
    async rememberDevice(id, device) {
      await model.updateOne(
        { id, knownDevices: { $ne: device } },
        { $push: { knownDevices: { $each: [device], $slice: -MAX_KNOWN_DEVICES } } },
      );
    },
    knowsDevice: async (device) => (await model.exists({ knownDevices: device })) !== null,
  };
}
