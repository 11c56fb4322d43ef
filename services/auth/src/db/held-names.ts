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

export interface HeldNames {
  prepare(): Promise<void>;
  hold(username: string): Promise<void>;
  isHeld(username: string): Promise<boolean>;
  forgetOld(now: Date): Promise<void>;
}

/** @param keys ACCOUNT_KEYS: the first makes tags */
export function createHeldNames(connection: Connection, keys: readonly Buffer[]): HeldNames {
  const collection = connection.collection<HeldNameDocument>(COLLECTION);
  const tagsOf = (username: string): string[] =>
    keys.map((key) =>
      createHmac('sha256', key)
        .update(`held name ${usernameSkeleton(username)}`)
        .digest('base64url'),
    );

  return {
    prepare: () => ensureIndexes(connection, COLLECTION, [{ key: { until: 1 }, name: 'until', expireAfterSeconds: 0 }]),
    async hold(username) {
      const [tag = ''] = tagsOf(username);
      try {
        await retryOnDeadlock(() => collection.insertOne({ _id: tag, until: new Date(Date.now() + HELD_MS) }));
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    },
    isHeld: async (username) =>
      (await collection.findOne({ _id: { $in: tagsOf(username) }, until: { $gt: new Date() } })) !== null,
    async forgetOld(now) {
      await collection.deleteMany({ until: { $lte: now } }, IN_BACKGROUND);
    },
  };
}
