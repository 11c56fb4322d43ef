import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { COUNTERS, ID_FLOOR, insertEach, isDuplicateKey } from '@najwa/common/mongo';
import { contributionsOf, RESTORES, type AccountKey, type MessageCounts, type RestoreDocument } from '@najwa/product';
import { mongo } from 'mongoose';
import {
  collectionFile,
  MANIFEST,
  manifest,
  OBJECT_LIST,
  objectEntry,
  objectFile,
  verifyFile,
  type Manifest,
  type ObjectEntry,
} from './format.js';
import { DATABASE_SERVICES, LEDGER_SERVICES, REGION, type Stores } from './stores.js';

const BATCH_DOCUMENTS = 500;
const BATCH_BYTES = 8 * 1024 * 1024;
/** MongoDB's limit of a document, with a margin. */
const MAX_DOCUMENT_BYTES = 17 * 1024 * 1024;

/**
 * Copies a backup into an empty system: files first, then databases, referenced ones first. Verifies all checksums
 * before any write.
 * @param prepare runs before the first write
 * @returns the manifest with the numbers of restored documents
 * @throws if the backup is unfinished or damaged, or the system is not empty
 */
export async function restore(
  stores: Stores,
  folder: string,
  prepare: () => Promise<void> = () => Promise.resolve(),
): Promise<Manifest> {
  const content = await readManifest(folder);
  const listFile = path.join(folder, OBJECT_LIST);
  await verifyFile(listFile, content.objects.sha256);
  for (const { service, collection, sha256 } of content.collections)
    await verifyFile(path.join(folder, collectionFile(service, collection)), sha256);
  for await (const { key, sha256 } of objectsOf(listFile)) await verifyFile(path.join(folder, objectFile(key)), sha256);
  await requireEmpty(stores, content);
  await prepare();

  if (!(await stores.files.bucketExists(stores.bucket))) await stores.files.makeBucket(stores.bucket, REGION);
  for await (const { key, bytes, contentType } of objectsOf(listFile))
    await stores.files.putObject(stores.bucket, key, createReadStream(path.join(folder, objectFile(key))), bytes, {
      'Content-Type': contentType,
    });
  const collections: Manifest['collections'] = [];
  for (const entry of content.collections.toReversed()) {
    const collection = stores.databaseOf(entry.service).collection(entry.collection);
    const file = path.join(folder, collectionFile(entry.service, entry.collection));
    const { read, restored } = await restoreCollection(collection, file, entry.indexes);
    if (read !== entry.documents)
      throw new Error(`${file} has ${read} documents, but the manifest says ${entry.documents}.`);
    collections.unshift({ ...entry, documents: restored });
  }
  await recount(stores);
  await raiseCounters(stores);
  const noted: RestoreDocument = { _id: randomUUID(), since: new Date(content.startedAt), appliedAt: null };
  for (const service of LEDGER_SERVICES)
    await stores.databaseOf(service).collection<RestoreDocument>(RESTORES).insertOne(noted);
  return { ...content, collections };
}

/** The counted fields. */
interface StoredMessage {
  id: number;
  /** Negative if set aside. */
  userId: number;
  senderUserId: string | null;
  isRead: boolean;
  isPublic: boolean;
  hiddenFromSender: boolean;
  aside?: { reason: string };
  deletedAt?: Date | null;
  outbox?: { id: string; counts?: { userId: AccountKey }[] }[];
}

const COUNTED = ['id', 'userId', 'senderUserId', 'isRead', 'isPublic', 'hiddenFromSender', 'aside.reason', 'deletedAt'];

interface CountsDocument extends MessageCounts {
  _id: AccountKey;
  version: number;
  /** Outbox entries included in the counts that may still be in a message. */
  applied: string[];
}

/** Messages per write. */
const BATCH_COUNTED = 5_000;

/**
 * Recounts, because the copied counts are of another moment than the messages. Includes changes pending in outboxes.
 */
async function recount({ databaseOf }: Stores): Promise<void> {
  const database = databaseOf('messages');
  const documents = database.collection<CountsDocument>('message_counts');
  await documents.updateMany(
    {},
    {
      $set: { received: 0, read: 0, public: 0, sent: 0, applied: [] },
      $unset: { receivedIds: 1, sentIds: 1 },
      $inc: { version: 1 },
    },
  );
  let batch = new Map<
    AccountKey,
    { counts: Partial<MessageCounts>[]; received: number[]; sent: number[]; applied: string[] }
  >();
  const of = (account: AccountKey) => {
    const known = batch.get(account) ?? { counts: [], received: [], sent: [], applied: [] };
    batch.set(account, known);
    return known;
  };
  const write = async (): Promise<void> => {
    if (batch.size === 0) return;
    await documents.bulkWrite(
      [...batch].map(([_id, { counts, received, sent, applied }]) => {
        const sum = (name: keyof MessageCounts): number => counts.reduce((all, { [name]: more = 0 }) => all + more, 0);
        const ends = (name: 'first' | 'last', choose: (...ids: number[]) => number) => ({
          ...(received.length > 0 && { [`receivedIds.${name}`]: choose(...received) }),
          ...(sent.length > 0 && { [`sentIds.${name}`]: choose(...sent) }),
        });
        const hasIds = received.length + sent.length > 0;
        return {
          updateOne: {
            filter: { _id },
            update: {
              $inc: {
                received: sum('received'),
                read: sum('read'),
                public: sum('public'),
                sent: sum('sent'),
                version: 1,
              },
              ...(hasIds && { $min: ends('first', Math.min), $max: ends('last', Math.max) }),
              $push: { applied: { $each: applied } },
            },
            upsert: true,
          },
        };
      }),
      { ordered: false },
    );
    batch = new Map();
  };
  const projection = Object.fromEntries([...COUNTED, 'outbox.id', 'outbox.counts.userId'].map((field) => [field, 1]));
  let counted = 0;
  for await (const message of database.collection('messages').find<StoredMessage>({}, { projection })) {
    const { id, userId, senderUserId: sender, aside = null, deletedAt, outbox = [] } = message;
    if (deletedAt == null)
      for (const [account, counts] of contributionsOf({ ...message, userId: Math.abs(userId), sender, aside })) {
        if (counts.received === undefined && counts.sent === undefined) continue;
        const known = of(account);
        known.counts.push(counts);
        if (counts.received !== undefined) known.received.push(id);
        if (counts.sent !== undefined) known.sent.push(id);
      }
    for (const { id: entry, counts = [] } of outbox)
      for (const { userId: account } of counts) of(account).applied.push(entry);
    counted += 1;
    if (counted % BATCH_COUNTED === 0) await write();
  }
  await write();
}

const LEAST_GAP = 1_000_000;

/**
 * Prevents reuse of ids. Counters were read last, so they exceed all references; doubling them, by at least a million,
 * exceeds ids issued since.
 */
async function raiseCounters({ databaseOf }: Stores): Promise<void> {
  const all = DATABASE_SERVICES.map((service) =>
    databaseOf(service).collection<{ _id: string; value: number }>(COUNTERS),
  );
  const values = (await Promise.all(all.map((counters) => counters.find().toArray()))).flat().map(({ value }) => value);
  const highest = Math.max(0, ...values);
  const floor = highest + Math.max(highest, LEAST_GAP);
  for (const counters of all) {
    await counters.updateMany({}, { $max: { value: floor } });
    await counters.updateOne({ _id: ID_FLOOR }, { $set: { value: floor } }, { upsert: true });
  }
}

/** @throws if the backup is unfinished */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(path.join(folder, MANIFEST), 'utf8').catch(() => undefined);
  if (text === undefined) throw new Error(`${folder} holds no finished backup: ${MANIFEST} is missing.`);
  return manifest.parse(JSON.parse(text));
}

async function* objectsOf(listFile: string): AsyncGenerator<ObjectEntry> {
  for await (const line of createInterface({ input: createReadStream(listFile), crlfDelay: Infinity }))
    yield objectEntry.parse(JSON.parse(line));
}

async function requireEmpty({ databaseOf, files, bucket }: Stores, { collections }: Manifest): Promise<void> {
  for (const { service, collection } of collections)
    if ((await databaseOf(service).collection(collection).findOne({})) !== null)
      throw new Error(
        `The collection ${collection} of ${service} is not empty. A backup is restored into an empty system.`,
      );
  if (!(await files.bucketExists(bucket))) return;
  for await (const _object of files.listObjectsV2(bucket, '', true))
    throw new Error(`The bucket ${bucket} is not empty. A backup is restored into an empty system.`);
}

async function restoreCollection(
  collection: mongo.Collection,
  file: string,
  indexes: Manifest['collections'][number]['indexes'],
): Promise<{ read: number; restored: number }> {
  const own = indexes.filter(({ name }) => name !== '_id_');
  if (own.length > 0) await collection.createIndexes(own as unknown as mongo.IndexDescription[]);
  let read = 0;
  let restored = 0;
  let batch: mongo.Document[] = [];
  let size = 0;
  const insert = async (): Promise<void> => {
    if (batch.length === 0) return;
    const refusals = (await insertEach(collection, batch)).filter((refusal) => refusal !== undefined);
    // A document recreated under its unique key during the backup occurs twice.
    const failure = refusals.find((refusal) => !isDuplicateKey(refusal));
    if (failure) throw failure;
    read += batch.length;
    restored += batch.length - refusals.length;
    batch = [];
    size = 0;
  };
  for await (const document of documentsOf(file)) {
    // Preserves BSON number types.
    batch.push(mongo.BSON.deserialize(document, { promoteValues: false, promoteBuffers: false, bsonRegExp: true }));
    size += document.length;
    if (batch.length >= BATCH_DOCUMENTS || size >= BATCH_BYTES) await insert();
  }
  await insert();
  return { read, restored };
}

/** Each document starts with its length. */
async function* documentsOf(file: string): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  for await (const chunk of createReadStream(file).pipe(createGunzip())) {
    rest = Buffer.concat([rest, chunk as Buffer]);
    while (rest.length >= 4) {
      const length = rest.readInt32LE(0);
      if (length < 5 || length > MAX_DOCUMENT_BYTES) throw new Error(`${file} is damaged.`);
      if (rest.length < length) break;
      yield rest.subarray(0, length);
      rest = rest.subarray(length);
    }
  }
  if (rest.length > 0) throw new Error(`${file} ends within a document.`);
}
