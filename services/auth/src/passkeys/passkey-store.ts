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

export class PasskeyRepository {
  readonly #model;
  readonly #challenges;

  constructor(connection: Connection) {
    this.#model = connection.model('Passkey', schema);
    this.#challenges = connection.model('PasskeyChallenge', challengeSchema);
  }

  async prepare(): Promise<void> {
    await ensureIndexes(this.#model.db, COLLECTION, [
      { key: { credentialId: 1 }, name: 'credential_id', unique: true },
      { key: { userId: 1, createdAt: 1 }, name: 'user_id' },
    ]);
    await ensureIndexes(this.#model.db, CHALLENGES, [
      { key: { challenge: 1 }, name: 'challenge', unique: true },
      { key: { expiresAt: 1 }, name: 'expires_at', expireAfterSeconds: 0 },
    ]);
  }
  /** Oldest first. */
  list(userId: number): Promise<PasskeyRecord[]> {
    return this.#model.find({ userId }).sort({ createdAt: 1 }).lean<PasskeyRecord[]>().exec();
  }
  /** @returns false if the credential id exists */
  async insert(passkey: PasskeyRecord): Promise<boolean> {
    try {
      await this.#model.create(passkey);
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }
  findByCredentialId(credentialId: string): Promise<PasskeyRecord | null> {
    return this.#model.findOne({ credentialId }).lean<PasskeyRecord>().exec();
  }
  /** @returns false if it was removed or its counter changed meanwhile */
  async recordUse({ passkeyId, counter: before }: PasskeyRecord, counter: number): Promise<boolean> {
    const { matchedCount } = await this.#model.updateOne(
      { passkeyId, counter: before },
      { $set: { counter, lastUsedAt: new Date() } },
    );
    return matchedCount === 1;
  }
  async remove(userId: number, passkeyId: string): Promise<boolean> {
    const { deletedCount } = await this.#model.deleteOne({ userId, passkeyId });
    return deletedCount === 1;
  }
  async removeAll(userId: number): Promise<void> {
    await this.#model.deleteMany({ userId });
  }
  async addChallenge(challenge: string, purpose: string, expiresAt: Date): Promise<void> {
    await this.#challenges.create({ challenge, purpose, expiresAt });
  }
  /** Consumes a challenge. @returns whether it was valid */
  async takeChallenge(challenge: string, purpose: string): Promise<boolean> {
    const { deletedCount } = await this.#challenges.deleteOne({ challenge, purpose, expiresAt: { $gt: new Date() } });
    return deletedCount === 1;
  }
  async forgetChallenges(now: Date): Promise<void> {
    await this.#challenges.deleteMany({ expiresAt: { $lte: now } }, IN_BACKGROUND);
  }
}
