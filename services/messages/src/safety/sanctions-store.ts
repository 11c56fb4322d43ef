import { isDuplicateKey, retryOnDeadlock } from '@najwa/common/mongo';
import type { Connection } from 'mongoose';
import { INBOX_RULES } from './rules-store.js';

/** A sender whose messages are held site-wide. */
export interface Sanction {
  /** Id of the moderators' action. */
  id: number;
  tags: string[];
  until: Date;
}

export interface Sanctions {
  version: number;
  sanctions: Sanction[];
}

interface SanctionsDocument extends Sanctions {
  _id: number;
}

/** Stored with the rules of accounts, so that one query reads both versions. No account has id 0. */
export const SITE = 0;

export interface SanctionRepository {
  load(): Promise<Sanctions>;
  /** Idempotent. */
  add(sanction: Sanction): Promise<void>;
  remove(id: number): Promise<void>;
  removeEnded(before: Date): Promise<void>;
}

export function createSanctionRepository(connection: Connection): SanctionRepository {
  const collection = connection.collection<SanctionsDocument>(INBOX_RULES);
  const change = { $inc: { version: 1 } };

  return {
    async load() {
      const found = await collection.findOne({ _id: SITE });
      return { version: found?.version ?? 0, sanctions: found?.sanctions ?? [] };
    },
    async add(sanction) {
      try {
        await retryOnDeadlock(() => collection.insertOne({ _id: SITE, version: 1, sanctions: [] }));
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
      await retryOnDeadlock(() =>
        collection.updateOne(
          { _id: SITE, 'sanctions.id': { $ne: sanction.id } },
          { $push: { sanctions: sanction }, ...change },
        ),
      );
    },
    async remove(id) {
      await retryOnDeadlock(() =>
        collection.updateOne({ _id: SITE, 'sanctions.id': id }, { $pull: { sanctions: { id } }, ...change }),
      );
    },
    async removeEnded(before) {
      const ended = { until: { $lt: before } };
      await collection.updateOne(
        { _id: SITE, sanctions: { $elemMatch: ended } },
        { $pull: { sanctions: ended }, ...change },
      );
    },
  };
}
