import { randomBytes } from 'node:crypto';
import { createBatcher, randomId } from '@najwa/common';
import { ledgerEntry, outboxIndex, type WithOutbox } from '@najwa/common/amqp';
import { ensureIndexes, isDuplicateKey, retryOnDeadlock } from '@najwa/common/mongo';
import type { DataKeys } from '@najwa/product';
import type { ReceivingSettings } from '@najwa/proto/http';
import type { WordListName } from '@najwa/proto/words';
import type { Connection, mongo } from 'mongoose';
import type { SenderTags } from '../store/message-record.js';
import { CONFLICT, retryOnConflict } from '../store/optimistic.js';

export interface BlockRecord {
  id: number;
  messageId: number;
  excerpt: string;
  createdAt: Date;
  tags: SenderTags;
}

export interface Filters {
  words: string[];
  lists: WordListName[];
}

export type ReceivingRule = Pick<ReceivingSettings, 'from' | 'minimumDays'>;

export interface InboxRules extends Filters {
  /** Missing before the first change, and during or after a failed one: then auth's settings apply. */
  receiving?: ReceivingRule;
  version: number;
  /** HMAC key of the account's tags, base64url. Never leaves the service; stored sealed. */
  key: string;
  blocks: BlockRecord[];
  /** Visitors matched by network alone, as `blockId tag`. */
  networkHits: string[];
}

export interface RulesState {
  /** 0 if there are no rules. */
  version: number;
  /** Blocks whose network is shared by several visitors. Not versioned: a hit must not slow the next message. */
  sharedBlocks: number[];
}

interface RulesDocument extends Omit<InboxRules, 'key'>, WithOutbox {
  _id: number;
  sealedKey: string;
  emptiedAt?: Date;
  /** Later messages that the emptied folder showed. */
  emptiedIds?: number[];
  sharedBlocks?: number[];
}

/** A block that was added or lifted, for the ledger. A restore must not undo it. */
export interface BlockNote {
  kind: 'block';
  userId: number;
  /** With the time as JSON keeps it. */
  added?: Omit<BlockRecord, 'createdAt'> & { createdAt: string };
  /** Id of a block. */
  lifted?: number;
  /** The key of the tags in it, sealed, for a backup from before it was drawn. */
  sealedKey: string;
}

export interface Emptied {
  /** Covers all messages set aside until then. */
  emptiedAt: Date;
  /** Later ones: within clock skew, others may have arrived unseen. */
  emptiedIds: number[];
}

export interface EmptiedFolder extends Emptied {
  userId: number;
}

type NewBlock = Omit<BlockRecord, 'id' | 'createdAt'>;

const NO_FILTERS: Filters = { words: [], lists: [] };

export const INBOX_RULES = 'inbox_rules';
const KEY_BYTES = 32;
const MAX_NETWORK_HITS = 500;

/** Beyond this many visitors a network counts as shared and identifies none of them. */
const MAX_SHARING = 3;

const newRules = () => ({ version: 1, blocks: [], networkHits: [], words: [], lists: [] });

const ownerOf = (userId: number): string => `inbox rules ${userId}`;

/** One document per account, so that every change is a single write. */
export class InboxRulesRepository {
  readonly collection: mongo.Collection;
  /** Batches concurrent reads. */
  readonly stateOf = createBatcher<number, RulesState>({
    runBatch: async (ids) => {
      const found = await this.#collection
        .find({ _id: { $in: [...new Set(ids)] } }, { projection: { version: 1, sharedBlocks: 1 } })
        .toArray();
      const states = new Map(found.map(({ _id, version, sharedBlocks = [] }) => [_id, { version, sharedBlocks }]));
      return ids.map((id) => states.get(id) ?? { version: 0, sharedBlocks: [] });
    },
  });
  readonly #dataKeys;
  readonly #collection;

  constructor(connection: Connection, dataKeys: DataKeys) {
    this.#dataKeys = dataKeys;
    this.#collection = connection.collection<RulesDocument>(INBOX_RULES);
    this.collection = this.#collection as unknown as mongo.Collection;
  }

  prepare(): Promise<void> {
    return ensureIndexes(this.#collection.conn, INBOX_RULES, [
      { key: { emptiedAt: 1 }, name: 'emptied_at', sparse: true },
      outboxIndex,
    ]);
  }
  /** Creates the account's key if missing. */
  async load(userId: number): Promise<InboxRules> {
    const found = await this.#collection.findOne({ _id: userId });
    if (found) return this.#toRules(found);
    const key = randomBytes(KEY_BYTES);
    // Sealed, because with the key account tags could be brute-forced.
    const sealedKey = (await this.#dataKeys.permanentKey()).seal(key, ownerOf(userId));
    try {
      await retryOnDeadlock(() => this.#collection.insertOne({ _id: userId, ...newRules(), sealedKey }));
      return { ...newRules(), key: key.toString('base64url') };
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      return this.load(userId);
    }
  }
  /** @returns the existing block of the same message, if any; null if the list is full */
  async addBlock(userId: number, block: NewBlock, max: number): Promise<BlockRecord | null> {
    const { blocks } = await this.load(userId);
    const earlier = blocks.find(({ messageId }) => messageId === block.messageId);
    if (earlier) return earlier;
    const added: BlockRecord = { ...block, id: randomId(), createdAt: new Date() };
    const note = await this.#noteOf(userId, { added: { ...added, createdAt: added.createdAt.toISOString() } });
    const { modifiedCount } = await retryOnDeadlock(() =>
      this.#collection.updateOne(
        { _id: userId, 'blocks.messageId': { $ne: block.messageId }, [`blocks.${max - 1}`]: { $exists: false } },
        { $push: { blocks: added, outbox: note }, $inc: { version: 1 } },
      ),
    );
    if (modifiedCount === 1) return added;
    const { blocks: now } = await this.load(userId);
    return now.find(({ messageId }) => messageId === block.messageId) ?? null;
  }
  async removeBlock(userId: number, id: number): Promise<boolean> {
    const note = await this.#noteOf(userId, { lifted: id });
    const { modifiedCount } = await retryOnDeadlock(() =>
      this.#collection.updateOne(
        { _id: userId, 'blocks.id': id },
        { $pull: { blocks: { id }, sharedBlocks: id }, $push: { outbox: note }, $inc: { version: 1 } },
      ),
    );
    return modifiedCount === 1;
  }
  /** Retries on conflicts. Errors of `change` propagate. */
  async changeFilters(
    userId: number,
    change: (before: Filters) => Filters,
  ): Promise<{ before: Filters; after: Filters }> {
    let changed = { before: NO_FILTERS, after: NO_FILTERS };
    await this.#changeRules(userId, ({ words, lists }) => {
      const before = { words, lists };
      const { words: nextWords, lists: nextLists } = change(before);
      changed = { before, after: { words: nextWords, lists: nextLists } };
      return changed.after;
    });
    return changed;
  }
  /** Idempotent. */
  async applyNote({ userId, added, lifted, sealedKey }: BlockNote): Promise<void> {
    await this.#collection.updateOne({ _id: userId }, { $setOnInsert: { ...newRules(), sealedKey } }, { upsert: true });
    const change = added
      ? { $push: { blocks: { ...added, createdAt: new Date(added.createdAt) } } }
      : { $pull: { blocks: { id: lifted } } };
    const isDue = added ? { 'blocks.messageId': { $ne: added.messageId } } : {};
    await this.#collection.updateOne({ _id: userId, ...isDue }, {
      ...change,
      $inc: { version: 1 },
    } as mongo.UpdateFilter<RulesDocument>);
  }
  /** Defers to auth's settings until `setReceiving`. Without an id, for all accounts. */
  async forgetReceiving(userId?: number): Promise<void> {
    // Creates the document, so that a concurrent change sees the new version and rereads.
    if (userId !== undefined) await this.load(userId);
    await retryOnDeadlock(() =>
      this.#collection.updateMany(userId === undefined ? {} : { _id: userId }, {
        $unset: { receiving: 1 },
        $inc: { version: 1 },
      }),
    );
  }
  /** @param read called again after a conflict */
  async setReceiving(userId: number, read: () => Promise<ReceivingRule>): Promise<void> {
    await this.#changeRules(userId, async () => {
      const { from, minimumDays } = await read();
      return { receiving: { from, minimumDays } };
    });
  }
  async noteEmptied({ userId, emptiedAt, emptiedIds }: EmptiedFolder): Promise<void> {
    // No document means nothing was set aside.
    await retryOnDeadlock(() =>
      this.#collection.updateOne(
        { _id: userId },
        { $max: { emptiedAt }, $addToSet: { emptiedIds: { $each: emptiedIds } } },
      ),
    );
  }
  /** The emptied folder, until all is discarded. */
  async emptied(userId: number): Promise<Emptied | undefined> {
    const found = await this.#collection.findOne({ _id: userId }, { projection: { emptiedAt: 1, emptiedIds: 1 } });
    return found?.emptiedAt && { emptiedAt: found.emptiedAt, emptiedIds: found.emptiedIds ?? [] };
  }
  async findEmptied(limit: number): Promise<EmptiedFolder[]> {
    const found = await this.#collection
      .find({ emptiedAt: { $gt: new Date(0) } }, { projection: { emptiedAt: 1, emptiedIds: 1 } })
      .limit(limit)
      .toArray();
    return found.flatMap(({ _id: userId, emptiedAt, emptiedIds = [] }) =>
      emptiedAt ? { userId, emptiedAt, emptiedIds } : [],
    );
  }
  async finishEmptied({ userId, emptiedAt, emptiedIds }: EmptiedFolder): Promise<void> {
    // The folder may have been emptied again meanwhile; keep ids added since.
    const later = `emptiedIds.${emptiedIds.length}`;
    await retryOnDeadlock(() =>
      this.#collection.updateOne(
        { _id: userId, emptiedAt, [later]: { $exists: false } },
        { $unset: { emptiedAt: 1, emptiedIds: 1 } },
      ),
    );
  }
  async remove(userId: number): Promise<void> {
    await this.#collection.deleteOne({ _id: userId });
  }
  async noteNetworkHit(userId: number, blockId: number, visitor: string): Promise<void> {
    const hit = `${blockId} ${visitor}`;
    const noted = await retryOnDeadlock(() =>
      this.#collection.findOneAndUpdate(
        { _id: userId, networkHits: { $ne: hit } },
        { $push: { networkHits: { $each: [hit], $slice: -MAX_NETWORK_HITS } } },
        { returnDocument: 'after', projection: { networkHits: 1 } },
      ),
    );
    const hits = noted?.networkHits.filter((one) => one.startsWith(`${blockId} `)) ?? [];
    if (hits.length <= MAX_SHARING) return;
    await retryOnDeadlock(() => this.#collection.updateOne({ _id: userId }, { $addToSet: { sharedBlocks: blockId } }));
  }

  async #toRules({ _id, sealedKey, outbox: _outbox, ...rules }: RulesDocument): Promise<InboxRules> {
    return {
      ...rules,
      key: (await this.#dataKeys.permanentKey()).open(sealedKey, ownerOf(_id)).toString('base64url'),
    };
  }
  #changeRules(
    userId: number,
    change: (before: InboxRules) => Partial<RulesDocument> | Promise<Partial<RulesDocument>>,
  ): Promise<void> {
    return retryOnConflict('The rules of the inbox are', async () => {
      const before = await this.load(userId);
      const $set = await change(before);
      const { matchedCount } = await retryOnDeadlock(() =>
        this.#collection.updateOne({ _id: userId, version: before.version }, { $set, $inc: { version: 1 } }),
      );
      return matchedCount === 1 ? undefined : CONFLICT;
    });
  }
  /** The entry with which a change of the blocks is written. */
  async #noteOf(userId: number, change: Pick<BlockNote, 'added' | 'lifted'>) {
    const found = await this.#collection.findOne({ _id: userId }, { projection: { sealedKey: 1 } });
    return ledgerEntry<BlockNote>({ kind: 'block', userId, ...change, sealedKey: found?.sealedKey ?? '' });
  }
}
