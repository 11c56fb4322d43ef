import type { Connection } from 'mongoose';
import { userModel, type Recovery, type Totp, type UserRecord } from './users.js';

const MAX_KNOWN_DEVICES = 20;

export interface PasswordChange {
  /** Null ends every session. */
  keptSessionId: string | null;
  /** Hash of the recovery code that this change uses up. */
  recoveryHash?: string;
}

/** Decides which sessions of an account are valid. */
export type SessionValidity = Pick<UserRecord, 'id' | 'passwordChangedAt' | 'keptSessionId'>;

/** Password, recovery codes, second step and known devices. They are stored in the account's own document. */
export interface CredentialRepository {
  /**
   * Sets a new password and makes every session but one invalid, in one write.
   * @param user as it was when its present password or the recovery code was verified
   * @returns null if the password has changed since then, or if the code was used; nothing is written
   */
  changePassword(user: UserRecord, passwordHash: string, change: PasswordChange): Promise<SessionValidity | null>;
  /** Accounts with sessions that a password change made invalid, and that may not have ended. */
  findWithInvalidSessions(limit: number): Promise<SessionValidity[]>;
  /** Notes that the invalid sessions have ended. Does nothing if the password has changed again. */
  clearInvalidSessions(account: SessionValidity): Promise<void>;
  /** Stores another hash of the same password. Does nothing if the stored hash is no longer the verified one. */
  replaceHash(user: UserRecord, passwordHash: string): Promise<void>;
  /**
   * Replaces the recovery codes.
   * @param user as it was when its password was verified
   * @returns false if the password has changed since then; nothing is written
   */
  setRecovery(user: UserRecord, recovery: Recovery): Promise<boolean>;
  /** Uses a recovery code up. @returns whether it was unused */
  spendRecoveryHash(id: number, hash: string): Promise<boolean>;
  /** Stores the secret of a second step until it is confirmed. @returns false if there is a second step */
  setPendingTotp(id: number, secret: string): Promise<boolean>;
  /** Turns the second step on. @returns false if the secret was replaced or confirmed meanwhile */
  confirmTotp(id: number, secret: string, lastStep: number): Promise<boolean>;
  /** Uses the code of a time step up. @returns whether no code of it or a later one was used */
  spendTotpStep(id: number, step: number): Promise<boolean>;
  removeTotp(id: number): Promise<void>;
  /** Remembers a device and forgets the one known longest if there are too many. */
  rememberDevice(id: number, device: string): Promise<void>;
  /** True if the device has signed in to any account. */
  knowsDevice(device: string): Promise<boolean>;
}

export function createCredentialRepository(connection: Connection): CredentialRepository {
  const model = userModel(connection);
  return {
    async changePassword({ id, passwordChangedAt }, passwordHash, { keptSessionId, recoveryHash }) {
      // Later than the last change even if this replica's clock is behind.
      const now = new Date(Math.max(Date.now(), (passwordChangedAt?.getTime() ?? 0) + 1));
      const { modifiedCount } = await model.updateOne(
        { id, passwordChangedAt, ...(recoveryHash !== undefined && { 'recovery.hashes': recoveryHash }) },
        {
          $set: { passwordHash, passwordChangedAt: now, keptSessionId, hasInvalidSessions: true },
          ...(recoveryHash !== undefined && { $pull: { 'recovery.hashes': recoveryHash } }),
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
    async setRecovery({ id, passwordChangedAt }, recovery) {
      const { modifiedCount } = await model.updateOne({ id, passwordChangedAt }, { $set: { recovery } });
      return modifiedCount === 1;
    },
    async spendRecoveryHash(id, hash) {
      const { modifiedCount } = await model.updateOne(
        { id, 'recovery.hashes': hash },
        { $pull: { 'recovery.hashes': hash } },
      );
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
