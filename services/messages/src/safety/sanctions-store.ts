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

const change = { $inc: { version: 1 } };

export class SanctionRepository {
  readonly #collection;

  constructor(connection: Connection) {
    this.#collection = connection.collection<SanctionsDocument>(INBOX_RULES);
  }

  async load(): Promise<Sanctions> {
    const found = await this.#collection.findOne({ _id: SITE });
    return { version: found?.version ?? 0, sanctions: found?.sanctions ?? [] };
  }
  /** Idempotent. */
  async add(sanction: Sanction): Promise<void> {
    try {
      await retryOnDeadlock(() => this.#collection.insertOne({ _id: SITE, version: 1, sanctions: [] }));
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
    await retryOnDeadlock(() =>
      this.#collection.updateOne(
        { _id: SITE, 'sanctions.id': { $ne: sanction.id } },
        { $push: { sanctions: sanction }, ...change },
      ),
    );
  }
  async remove(id: number): Promise<void> {
    await retryOnDeadlock(() =>
      this.#collection.updateOne({ _id: SITE, 'sanctions.id': id }, { $pull: { sanctions: { id } }, ...change }),
    );
  }
  async removeEnded(before: Date): Promise<void> {
    const ended = { until: { $lt: before } };
    await this.#collection.updateOne(
      { _id: SITE, sanctions: { $elemMatch: ended } },
      { $pull: { sanctions: ended }, ...change },
    );
  }
}
