import type { Model } from 'mongoose';
import {
  changeUser,
  protectionEntry,
  type Recovery,
  type UserDocument,
  type UserRecord,
} from '../account/user-store.js';

const MAX_KNOWN_DEVICES = 20;

export interface PasswordChange {
  /** Null ends every session. */
  keptSessionId: string | null;
  recoveryHash?: string;
}

export type SessionValidity = Pick<UserRecord, 'id' | 'passwordChangedAt' | 'keptSessionId'>;

/** Uses a recovery code up, also for every restore of an earlier backup. */
const spending = (id: number, hash: string) => ({
  $pull: { 'recovery.hashes': hash },
  $push: { outbox: protectionEntry(id, { spentHash: hash }) },
});

/** Stored in the account's document. */
export class CredentialRepository {
  constructor(private readonly model: Model<UserDocument>) {}

  /**
   * Also invalidates all sessions but one, in the same write.
   * @param user as read when the password or recovery code was verified
   * @returns null, without a write, if the password has changed or the code was used
   */
  async changePassword(
    { id, passwordChangedAt }: UserRecord,
    passwordHash: string,
    { keptSessionId, recoveryHash }: PasswordChange,
  ): Promise<SessionValidity | null> {
    // Strictly increasing, even if this replica's clock is behind.
    const now = new Date(Math.max(Date.now(), (passwordChangedAt?.getTime() ?? 0) + 1));
    const changed = await changeUser(
      this.model,
      { id, passwordChangedAt, ...(recoveryHash !== undefined && { 'recovery.hashes': recoveryHash }) },
      {
        $set: { passwordHash, passwordChangedAt: now, keptSessionId, hasInvalidSessions: true },
        ...(recoveryHash !== undefined && spending(id, recoveryHash)),
      },
    );
    return changed ? { id, passwordChangedAt: now, keptSessionId } : null;
  }
  findWithInvalidSessions(limit: number): Promise<SessionValidity[]> {
    return this.model
      .find({ hasInvalidSessions: true }, { id: 1, passwordChangedAt: 1, keptSessionId: 1 })
      .limit(limit)
      .lean<SessionValidity[]>();
  }
  async clearInvalidSessions({ id, passwordChangedAt }: SessionValidity): Promise<void> {
    await this.model.updateOne({ id, passwordChangedAt }, { $unset: { hasInvalidSessions: 1 } });
  }
  async replaceHash({ id, passwordHash: verified }: UserRecord, passwordHash: string): Promise<void> {
    await this.model.updateOne({ id, passwordHash: verified }, { $set: { passwordHash } });
  }
  /**
   * @param options.isNoted already in the ledger
   * @returns false, without a write, if the password has changed
   */
  setRecovery(
    { id, passwordChangedAt }: UserRecord,
    recovery: Recovery,
    { isNoted }: { isNoted: boolean } = { isNoted: false },
  ): Promise<boolean> {
    const entry = { $push: { outbox: protectionEntry(id, { recovery }) } };
    return changeUser(this.model, { id, passwordChangedAt }, { $set: { recovery }, ...(!isNoted && entry) });
  }
  /** @returns whether the code was unused */
  spendRecoveryHash(id: number, hash: string): Promise<boolean> {
    return changeUser(this.model, { id, 'recovery.hashes': hash }, spending(id, hash));
  }
  /** @returns false if a second step is on */
  setPendingTotp(id: number, pendingTotp: string): Promise<boolean> {
    return changeUser(this.model, { id, totp: null }, { $set: { pendingTotp } });
  }
  /** @returns false if the secret was replaced or confirmed meanwhile */
  confirmTotp(id: number, secret: string, lastStep: number): Promise<boolean> {
    const totp = { secret, lastStep, since: new Date() };
    return changeUser(this.model, { id, totp: null, pendingTotp: secret }, { $set: { totp, pendingTotp: null } });
  }
  /** @returns false if a code of this or a later step was used */
  spendTotpStep(id: number, step: number): Promise<boolean> {
    return changeUser(this.model, { id, 'totp.lastStep': { $lt: step } }, { $set: { 'totp.lastStep': step } });
  }
  async removeTotp(id: number): Promise<void> {
    await this.model.updateOne({ id }, { $set: { totp: null, pendingTotp: null } });
  }
  async rememberDevice(id: number, device: string): Promise<void> {
    await this.model.updateOne(
      { id, knownDevices: { $ne: device } },
      { $push: { knownDevices: { $each: [device], $slice: -MAX_KNOWN_DEVICES } } },
    );
  }
  async knowsDevice(device: string): Promise<boolean> {
    return (await this.model.exists({ knownDevices: device })) !== null;
  }
}
