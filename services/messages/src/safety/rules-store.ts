import { randomBytes } from 'node:crypto';
import { createBatcher, randomId } from '@najwa/common';
import { ledgerEntry, outboxIndex, type WithOutbox } from '@najwa/common/amqp';
import { ensureIndexes, isDuplicateKey, retryOnDeadlock } from '@najwa/common/mongo';
import type { DataKeys } from '@najwa/product';
import type { ReceivingSettings } from '@najwa/proto/http';
import type { WordListName } from '@najwa/proto/words';
import type { Connection, mongo } from 'mongoose';
import type { Emptied } from '../inbox/inbox-store.js';
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

export interface EmptiedFolder extends Emptied {
  userId: number;
}

const NO_FILTERS: Filters = { words: [], lists: [] };

export const INBOX_RULES = 'inbox_rules';
const KEY_BYTES = 32;
const MAX_NETWORK_HITS = 500;

/** Beyond this many visitors a network counts as shared and identifies none of them. */
const MAX_SHARING = 3;

export interface InboxRulesRepository {
  collection: mongo.Collection;
  prepare(): Promise<void>;
  /** Batches concurrent reads. */
  stateOf(userId: number): Promise<RulesState>;
  /** Creates the account's key if missing. */
  load(userId: number): Promise<InboxRules>;
  /** @returns the existing block of the same message, if any; null if the list is full */
  addBlock(userId: number, block: Omit<BlockRecord, 'id' | 'createdAt'>, max: number): Promise<BlockRecord | null>;
  removeBlock(userId: number, id: number): Promise<boolean>;
  /** Retries on conflicts. Errors of `change` propagate. */
  changeFilters(userId: number, change: (before: Filters) => Filters): Promise<{ before: Filters; after: Filters }>;
  /** Idempotent. */
  applyNote(note: BlockNote): Promise<void>;
  /** Defers to auth's settings until `setReceiving`. Without an id, for all accounts. */
  forgetReceiving(userId?: number): Promise<void>;
  /** @param read called again after a conflict */
  setReceiving(userId: number, read: () => Promise<ReceivingRule>): Promise<void>;
  noteEmptied(folder: EmptiedFolder): Promise<void>;
  /** The emptied folder, until all is discarded. */
  emptied(userId: number): Promise<Emptied | undefined>;
  findEmptied(limit: number): Promise<EmptiedFolder[]>;
  finishEmptied(folder: EmptiedFolder): Promise<void>;
  remove(userId: number): Promise<void>;
  noteNetworkHit(userId: number, blockId: number, visitor: string): Promise<void>;
}

const ownerOf = (userId: number): string => `inbox rules ${userId}`;

/** Sealed, because with the key account tags could be brute-forced. */
const sealKey = async (dataKeys: DataKeys, userId: number, key: string): Promise<string> =>
  (await dataKeys.permanentKey()).seal(Buffer.from(key, 'base64url'), ownerOf(userId));

interface InboxRulesOptions {
  connection: Connection;
  dataKeys: DataKeys;
}

/** One document per account, so that every change is a single write. */
export function createInboxRulesRepository({ connection, dataKeys }: InboxRulesOptions): InboxRulesRepository {
  const collection = connection.collection<RulesDocument>(INBOX_RULES);

  const toRules = async ({ _id, sealedKey, outbox: _outbox, ...rules }: RulesDocument): Promise<InboxRules> => ({
    ...rules,
    key: (await dataKeys.permanentKey()).open(sealedKey, ownerOf(_id)).toString('base64url'),
  });

  const load = async (userId: number): Promise<InboxRules> => {
    const found = await collection.findOne({ _id: userId });
    if (found) return toRules(found);
    const key = randomBytes(KEY_BYTES).toString('base64url');
    const rules = { version: 1, blocks: [], networkHits: [], words: [], lists: [] };
    const sealedKey = await sealKey(dataKeys, userId, key);
    try {
      await retryOnDeadlock(() => collection.insertOne({ _id: userId, ...rules, sealedKey }));
      return { ...rules, key };
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      return load(userId);
    }
  };

  const changeRules = (
    userId: number,
    change: (before: InboxRules) => Partial<RulesDocument> | Promise<Partial<RulesDocument>>,
  ): Promise<void> =>
    retryOnConflict('The rules of the inbox are', async () => {
      const before = await load(userId);
      const $set = await change(before);
      const { matchedCount } = await retryOnDeadlock(() =>
        collection.updateOne({ _id: userId, version: before.version }, { $set, $inc: { version: 1 } }),
      );
      return matchedCount === 1 ? undefined : CONFLICT;
    });

  /** The entry with which a change of the blocks is written. */
  const noteOf = async (userId: number, change: Pick<BlockNote, 'added' | 'lifted'>) => {
    const found = await collection.findOne({ _id: userId }, { projection: { sealedKey: 1 } });
    return ledgerEntry<BlockNote>({ kind: 'block', userId, ...change, sealedKey: found?.sealedKey ?? '' });
  };

  return {
    collection: collection as unknown as mongo.Collection,
    prepare: () =>
      ensureIndexes(connection, INBOX_RULES, [
        { key: { emptiedAt: 1 }, name: 'emptied_at', sparse: true },
        outboxIndex,
      ]),
    stateOf: createBatcher<number, RulesState>({
      runBatch: async (ids) => {
        const found = await collection
          .find({ _id: { $in: [...new Set(ids)] } }, { projection: { version: 1, sharedBlocks: 1 } })
          .toArray();
        const states = new Map(found.map(({ _id, version, sharedBlocks = [] }) => [_id, { version, sharedBlocks }]));
        return ids.map((id) => states.get(id) ?? { version: 0, sharedBlocks: [] });
      },
    }),
    load,
    async addBlock(userId, block, max) {
      const { blocks } = await load(userId);
      const earlier = blocks.find(({ messageId }) => messageId === block.messageId);
      if (earlier) return earlier;
      const added: BlockRecord = { ...block, id: randomId(), createdAt: new Date() };
      const note = await noteOf(userId, { added: { ...added, createdAt: added.createdAt.toISOString() } });
      const { modifiedCount } = await retryOnDeadlock(() =>
        collection.updateOne(
          { _id: userId, 'blocks.messageId': { $ne: block.messageId }, [`blocks.${max - 1}`]: { $exists: false } },
          { $push: { blocks: added, outbox: note }, $inc: { version: 1 } },
        ),
      );
      if (modifiedCount === 1) return added;
      const { blocks: now } = await load(userId);
      return now.find(({ messageId }) => messageId === block.messageId) ?? null;
    },
    async removeBlock(userId, id) {
      const note = await noteOf(userId, { lifted: id });
      const { modifiedCount } = await retryOnDeadlock(() =>
        collection.updateOne(
          { _id: userId, 'blocks.id': id },
          { $pull: { blocks: { id }, sharedBlocks: id }, $push: { outbox: note }, $inc: { version: 1 } },
        ),
      );
      return modifiedCount === 1;
    },
    async changeFilters(userId, change) {
      let changed = { before: NO_FILTERS, after: NO_FILTERS };
      await changeRules(userId, ({ words, lists }) => {
        const before = { words, lists };
        const { words: nextWords, lists: nextLists } = change(before);
        changed = { before, after: { words: nextWords, lists: nextLists } };
        return changed.after;
      });
      return changed;
    },
    async applyNote({ userId, added, lifted, sealedKey }) {
      const rules = { version: 1, blocks: [], networkHits: [], words: [], lists: [], sealedKey };
      await collection.updateOne({ _id: userId }, { $setOnInsert: rules }, { upsert: true });
      const change = added
        ? { $push: { blocks: { ...added, createdAt: new Date(added.createdAt) } } }
        : { $pull: { blocks: { id: lifted } } };
      const isDue = added ? { 'blocks.messageId': { $ne: added.messageId } } : {};
      await collection.updateOne({ _id: userId, ...isDue }, {
        ...change,
        $inc: { version: 1 },
      } as mongo.UpdateFilter<RulesDocument>);
    },
    async forgetReceiving(userId) {
      // Creates the document, so that a concurrent change sees the new version and rereads.
      if (userId !== undefined) await load(userId);
      await retryOnDeadlock(() =>
        collection.updateMany(userId === undefined ? {} : { _id: userId }, {
          $unset: { receiving: 1 },
          $inc: { version: 1 },
        }),
      );
    },
    async setReceiving(userId, read) {
      await changeRules(userId, async () => {
        const { from, minimumDays } = await read();
        return { receiving: { from, minimumDays } };
      });
    },
    async noteEmptied({ userId, emptiedAt, emptiedIds }) {
      // No document means nothing was set aside.
      await retryOnDeadlock(() =>
        collection.updateOne(
          { _id: userId },
          { $max: { emptiedAt }, $addToSet: { emptiedIds: { $each: emptiedIds } } },
        ),
      );
    },
    async emptied(userId) {
      const found = await collection.findOne({ _id: userId }, { projection: { emptiedAt: 1, emptiedIds: 1 } });
      return found?.emptiedAt && { emptiedAt: found.emptiedAt, emptiedIds: found.emptiedIds ?? [] };
    },
    async findEmptied(limit) {
      const found = await collection
        .find({ emptiedAt: { $gt: new Date(0) } }, { projection: { emptiedAt: 1, emptiedIds: 1 } })
        .limit(limit)
        .toArray();
      return found.flatMap(({ _id: userId, emptiedAt, emptiedIds = [] }) =>
        emptiedAt ? { userId, emptiedAt, emptiedIds } : [],
      );
    },
    async finishEmptied({ userId, emptiedAt, emptiedIds }) {
      // The folder may have been emptied again meanwhile; keep ids added since.
      const later = `emptiedIds.${emptiedIds.length}`;
      await retryOnDeadlock(() =>
        collection.updateOne(
          { _id: userId, emptiedAt, [later]: { $exists: false } },
          { $unset: { emptiedAt: 1, emptiedIds: 1 } },
        ),
      );
    },
    async remove(userId) {
      await collection.deleteOne({ _id: userId });
    },
    async noteNetworkHit(userId, blockId, visitor) {
      const hit = `${blockId} ${visitor}`;
      const noted = await retryOnDeadlock(() =>
        collection.findOneAndUpdate(
          { _id: userId, networkHits: { $ne: hit } },
          { $push: { networkHits: { $each: [hit], $slice: -MAX_NETWORK_HITS } } },
          { returnDocument: 'after', projection: { networkHits: 1 } },
        ),
      );
      const hits = noted?.networkHits.filter((one) => one.startsWith(`${blockId} `)) ?? [];
      if (hits.length > MAX_SHARING)
        await retryOnDeadlock(() => collection.updateOne({ _id: userId }, { $addToSet: { sharedBlocks: blockId } }));
    },
  };
}
