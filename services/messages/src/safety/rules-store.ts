import { randomBytes } from 'node:crypto';
import { createBatcher, randomId } from '@najwa/common';
import { ensureIndexes, isDuplicateKey, retryOnDeadlock } from '@najwa/common/mongo';
import type { DataKeys } from '@najwa/product';
import type { ReceivingSettings } from '@najwa/proto/http';
import type { WordListName } from '@najwa/proto/words';
import type { Connection } from 'mongoose';
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

/** Who may write to an account. */
export type ReceivingRule = Pick<ReceivingSettings, 'from' | 'minimumDays'>;

/** The blocks and filters of one account, and who may write to it. */
export interface InboxRules extends Filters {
  /** Missing before the first change, during one, and after one that failed: auth knows it then. */
  receiving?: ReceivingRule;
  /** Incremented by every change. */
  version: number;
  /** Secret of the account's tags, base64url. It never leaves the service, and is stored sealed. */
  key: string;
  blocks: BlockRecord[];
  /** Visitors whom only their network gave away, each with the block: `blockId tag`. */
  networkHits: string[];
}

/** The part of the rules that each message reads. */
export interface RulesState {
  /** 0 before there are any. */
  version: number;
  /** Blocks whose network turned out to be that of several. Outside of the version: a hit must not make the next message slower. */
  sharedBlocks: number[];
}

interface RulesDocument extends Omit<InboxRules, 'key'> {
  /** The account's id. */
  _id: number;
  /** `InboxRules.key`. */
  sealedKey: string;
  /** While messages that were set aside until then are still to be discarded. */
  emptiedAt?: Date;
  /** The same of later ones, which the folder showed when it was emptied. */
  emptiedIds?: number[];
  /** Missing without any. */
  sharedBlocks?: number[];
}

export interface EmptiedFolder extends Emptied {
  userId: number;
}

const NO_FILTERS: Filters = { words: [], lists: [] };

export const INBOX_RULES = 'inbox_rules';
const KEY_BYTES = 32;
const MAX_NETWORK_HITS = 500;

/** A network that gives away more visitors than this is shared, and says nothing about any of them. */
const MAX_SHARING = 3;

export interface InboxRulesRepository {
  prepare(): Promise<void>;
  /** Concurrent calls share a read. */
  stateOf(userId: number): Promise<RulesState>;
  /** Reads the rules, and draws the account's key if it has none. */
  load(userId: number): Promise<InboxRules>;
  /** @returns the block after the same message if there is one; null if the list has `max` blocks */
  addBlock(userId: number, block: Omit<BlockRecord, 'id' | 'createdAt'>, max: number): Promise<BlockRecord | null>;
  /** @returns whether there was one */
  removeBlock(userId: number, id: number): Promise<boolean>;
  /**
   * Changes what is stored now, however often others change it meanwhile.
   * @param change its error is passed on
   */
  changeFilters(userId: number, change: (before: Filters) => Filters): Promise<{ before: Filters; after: Filters }>;
  /** Leaves it to auth who may write, until `setReceiving`. */
  forgetReceiving(userId: number): Promise<void>;
  /** @param read gives the rule to store. It is called again if other changes came meanwhile. */
  setReceiving(userId: number, read: () => Promise<ReceivingRule>): Promise<void>;
  /** Notes that the folder of an account is emptied. */
  noteEmptied(folder: EmptiedFolder): Promise<void>;
  /** The messages that the folder showed when it was emptied. Undefined once all of them are discarded. */
  emptied(userId: number): Promise<Emptied | undefined>;
  /** Folders that were emptied, as long as they are not finished. */
  findEmptied(limit: number): Promise<EmptiedFolder[]>;
  /** Everything in the folder then is discarded. */
  finishEmptied(folder: EmptiedFolder): Promise<void>;
  /** Removes the rules and the key of an account. */
  remove(userId: number): Promise<void>;
  noteNetworkHit(userId: number, blockId: number, visitor: string): Promise<void>;
}

const ownerOf = (userId: number): string => `inbox rules ${userId}`;

/** Seals the key of an account's tags: without it, tags of accounts could be found by trying all accounts. */
const sealKey = async (dataKeys: DataKeys, userId: number, key: string): Promise<string> =>
  (await dataKeys.permanentKey()).seal(Buffer.from(key, 'base64url'), ownerOf(userId));

interface InboxRulesOptions {
  connection: Connection;
  dataKeys: DataKeys;
}

/** One document for each account, so that every change is one write. */
export function createInboxRulesRepository({ connection, dataKeys }: InboxRulesOptions): InboxRulesRepository {
  const collection = connection.collection<RulesDocument>(INBOX_RULES);

  const toRules = async ({ _id, sealedKey, ...rules }: RulesDocument): Promise<InboxRules> => ({
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

  /** Writes what follows from the rules that are stored now, however often others change them meanwhile. */
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

  return {
    prepare: () =>
      ensureIndexes(connection, INBOX_RULES, [{ key: { emptiedAt: 1 }, name: 'emptied_at', sparse: true }]),
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
      const { modifiedCount } = await retryOnDeadlock(() =>
        collection.updateOne(
          { _id: userId, 'blocks.messageId': { $ne: block.messageId }, [`blocks.${max - 1}`]: { $exists: false } },
          { $push: { blocks: added }, $inc: { version: 1 } },
        ),
      );
      if (modifiedCount === 1) return added;
      const { blocks: now } = await load(userId);
      return now.find(({ messageId }) => messageId === block.messageId) ?? null;
    },
    async removeBlock(userId, id) {
      const { modifiedCount } = await retryOnDeadlock(() =>
        collection.updateOne(
          { _id: userId, 'blocks.id': id },
          { $pull: { blocks: { id }, sharedBlocks: id }, $inc: { version: 1 } },
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
    async forgetReceiving(userId) {
      // Another change that is under way must not store what it read before this one.
      await load(userId);
      await retryOnDeadlock(() =>
        collection.updateOne({ _id: userId }, { $unset: { receiving: 1 }, $inc: { version: 1 } }),
      );
    },
    async setReceiving(userId, read) {
      await changeRules(userId, async () => {
        const { from, minimumDays } = await read();
        return { receiving: { from, minimumDays } };
      });
    },
    async noteEmptied({ userId, emptiedAt, emptiedIds }) {
      // An account without rules has nothing that was set aside.
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
      // The folder may have been emptied again meanwhile. What it showed then is still to be discarded.
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
