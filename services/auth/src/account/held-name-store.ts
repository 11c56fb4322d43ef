import { createHmac } from 'node:crypto';
import { ensureIndexes, IN_BACKGROUND, isDuplicateKey, retryOnDeadlock } from '@najwa/common/mongo';
import { RETENTION, usernameSkeleton } from '@najwa/proto/http';
import type { Connection } from 'mongoose';

interface HeldNameDocument {
  /** HMAC of the name, under a key outside the database. */
  _id: string;
  until: Date;
}

const COLLECTION = 'held_usernames';

/** Until shared links are forgotten. */
const HELD_MS = RETENTION.heldNameDays * 24 * 60 * 60 * 1000;

export class HeldNames {
  readonly #collection;

  /** @param keys ACCOUNT_KEYS: the first makes tags */
  constructor(
    private readonly connection: Connection,
    private readonly keys: readonly Buffer[],
  ) {
    this.#collection = connection.collection<HeldNameDocument>(COLLECTION);
  }

  prepare(): Promise<void> {
    return ensureIndexes(this.connection, COLLECTION, [{ key: { until: 1 }, name: 'until', expireAfterSeconds: 0 }]);
  }
  async hold(username: string): Promise<void> {
    const [tag = ''] = this.#tagsOf(username);
    try {
      await retryOnDeadlock(() => this.#collection.insertOne({ _id: tag, until: new Date(Date.now() + HELD_MS) }));
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }
  async isHeld(username: string): Promise<boolean> {
    return (
      (await this.#collection.findOne({ _id: { $in: this.#tagsOf(username) }, until: { $gt: new Date() } })) !== null
    );
  }
  async forgetOld(now: Date): Promise<void> {
    await this.#collection.deleteMany({ until: { $lte: now } }, IN_BACKGROUND);
  }

  #tagsOf(username: string): string[] {
    return this.keys.map((key) =>
      createHmac('sha256', key)
        .update(`held name ${usernameSkeleton(username)}`)
        .digest('base64url'),
    );
  }
}
