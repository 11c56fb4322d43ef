import { ensureIndexes, isDuplicateKey } from '@najwa/common';
import type { Connection, mongo } from 'mongoose';

interface DeletedDocument {
  /** The message's id. */
  _id: number;
  deletedAt: Date;
}

const COLLECTION = 'deleted_messages';

/**
 * What is left of deleted messages, so that their submissions do not send them again. When it may go stands in a collection of
 * its own: another index on messages would cost every message something.
 */
export interface DeletedMessages {
  prepare(): Promise<void>;
  /** Leaves of deleted messages their submission alone. @param documents a filter that finds them */
  keepTombstones(documents: mongo.Filter<mongo.Document>): Promise<void>;
  /** Forgets messages that were buried before. @returns how many, at most the limit */
  forget(before: Date, limit: number): Promise<number>;
}

export function createDeletedMessages(connection: Connection, messages: mongo.Collection): DeletedMessages {
  const collection = connection.collection<DeletedDocument>(COLLECTION);
  return {
    prepare: () => ensureIndexes(connection, COLLECTION, [{ key: { deletedAt: 1 }, name: 'deleted_at' }]),
    async keepTombstones(documents) {
      const found = await messages.find<{ id: number }>(documents, { projection: { _id: 0, id: 1 } }).toArray();
      if (found.length === 0) return;
      const deletedAt = new Date();
      // An earlier try that died, or another replica, may have noted some of them.
      await collection
        .insertMany(
          found.map(({ id }) => ({ _id: id, deletedAt })),
          { ordered: false },
        )
        .catch((error: unknown) => {
          if (!isDuplicateKey(error)) throw error;
        });
      await messages.updateMany(documents, {
        $set: { senderUserId: null, imageName: null, audio: null },
        $unset: { outbox: 1 },
      });
    },
    async forget(before, limit) {
      const past = await collection.find({ deletedAt: { $lt: before } }, { limit }).toArray();
      const ids = past.map(({ _id }) => _id);
      if (ids.length === 0) return 0;
      await messages.deleteMany({ id: { $in: ids } });
      await collection.deleteMany({ _id: { $in: ids } });
      return ids.length;
    },
  };
}
