import type { Device } from '@najwa/common';
import { ensureIndexes, IN_BACKGROUND, isDuplicateKey } from '@najwa/common/mongo';
import { Schema, type Connection } from 'mongoose';

export interface PasskeyRecord {
  /** Public id. */
  passkeyId: string;
  userId: number;
  /** From the browser, base64url. */
  credentialId: string;
  /** COSE, base64url. */
  publicKey: string;
  /** Authenticator's signature counter. Zero if it does not count. */
  counter: number;
  transports: string[];
  device: Device;
  createdAt: Date;
  lastUsedAt: Date | null;
}

interface ChallengeDocument {
  challenge: string;
  purpose: string;
  expiresAt: Date;
}

const COLLECTION = 'passkeys';
const CHALLENGES = 'passkey_challenges';

const schema = new Schema<PasskeyRecord>(
  {
    passkeyId: String,
    userId: Number,
    credentialId: String,
    publicKey: String,
    counter: Number,
    transports: [String],
    device: { browser: String, operatingSystem: String, kind: String },
    createdAt: Date,
    lastUsedAt: Date,
  },
  { collection: COLLECTION, versionKey: false },
);

const challengeSchema = new Schema<ChallengeDocument>(
  { challenge: String, purpose: String, expiresAt: Date },
  { collection: CHALLENGES, versionKey: false },
);

export interface PasskeyRepository {
  prepare(): Promise<void>;
  /** Oldest first. */
  list(userId: number): Promise<PasskeyRecord[]>;
  /** @returns false if the credential id exists */
  insert(passkey: PasskeyRecord): Promise<boolean>;
  findByCredentialId(credentialId: string): Promise<PasskeyRecord | null>;
  /** @returns false if it was removed or its counter changed meanwhile */
  recordUse(passkey: PasskeyRecord, counter: number): Promise<boolean>;
  remove(userId: number, passkeyId: string): Promise<boolean>;
  removeAll(userId: number): Promise<void>;
  addChallenge(challenge: string, purpose: string, expiresAt: Date): Promise<void>;
  /** Consumes a challenge. @returns whether it was valid */
  takeChallenge(challenge: string, purpose: string): Promise<boolean>;
  forgetChallenges(now: Date): Promise<void>;
}

export function createPasskeyRepository(connection: Connection): PasskeyRepository {
  const model = connection.model('Passkey', schema);
  const challenges = connection.model('PasskeyChallenge', challengeSchema);
  return {
    async prepare() {
      await ensureIndexes(connection, COLLECTION, [
        { key: { credentialId: 1 }, name: 'credential_id', unique: true },
        { key: { userId: 1, createdAt: 1 }, name: 'user_id' },
      ]);
      await ensureIndexes(connection, CHALLENGES, [
        { key: { challenge: 1 }, name: 'challenge', unique: true },
        { key: { expiresAt: 1 }, name: 'expires_at', expireAfterSeconds: 0 },
      ]);
    },
    list: (userId) => model.find({ userId }).sort({ createdAt: 1 }).lean<PasskeyRecord[]>().exec(),
    async insert(passkey) {
      try {
        await model.create(passkey);
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    findByCredentialId: (credentialId) => model.findOne({ credentialId }).lean<PasskeyRecord>().exec(),
    async recordUse({ passkeyId, counter: before }, counter) {
      const { matchedCount } = await model.updateOne(
        { passkeyId, counter: before },
        { $set: { counter, lastUsedAt: new Date() } },
      );
      return matchedCount === 1;
    },
    async remove(userId, passkeyId) {
      const { deletedCount } = await model.deleteOne({ userId, passkeyId });
      return deletedCount === 1;
    },
    async removeAll(userId) {
      await model.deleteMany({ userId });
    },
    async addChallenge(challenge, purpose, expiresAt) {
      await challenges.create({ challenge, purpose, expiresAt });
    },
    async takeChallenge(challenge, purpose) {
      const { deletedCount } = await challenges.deleteOne({ challenge, purpose, expiresAt: { $gt: new Date() } });
      return deletedCount === 1;
    },
    async forgetChallenges(now) {
      await challenges.deleteMany({ expiresAt: { $lte: now } }, IN_BACKGROUND);
    },
  };
}
