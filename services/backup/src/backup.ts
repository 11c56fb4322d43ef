import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { TEMPORARY_OBJECTS } from '@najwa/common/retention';
import { RESTORES } from '@najwa/product';
import { S3Error } from 'minio';
import type { mongo } from 'mongoose';
import {
  collectionFile,
  MANIFEST,
  OBJECT_LIST,
  objectFile,
  PRIVATE_FOLDER,
  writeFile,
  type Manifest,
  type ObjectEntry,
} from './format.js';
import { DATABASE_SERVICES, type Stores } from './stores.js';

/** Short-lived data: rate limits and used proofs, exports and their archives, records of earlier restores. */
const LEFT_OUT = new Set(['rate_limits', 'export_jobs', 'archives', RESTORES]);

/** Progress newer than the documents would skip their migration. */
const READ_FIRST = ['migrations'];

/** Older counters would reuse ids; older keys could not open all documents. */
const READ_LAST = ['counters', 'data_keys'];

const BATCH_DOCUMENTS = 500;
const CONCURRENT_OBJECTS = 8;

/**
 * Streams all databases, then all files, into a new folder while the system runs. Not a point in time: see
 * docs/operations.md.
 * @param folder created; must be missing or empty
 */
export async function backUp(stores: Stores, folder: string): Promise<Manifest> {
  const startedAt = new Date().toISOString();
  await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER });
  if ((await readdir(folder)).length > 0) throw new Error(`${folder} is not empty.`);
  const collections: Manifest['collections'] = [];
  for (const service of DATABASE_SERVICES) {
    const database = stores.databaseOf(service);
    await mkdir(path.join(folder, 'databases', service), { recursive: true, mode: PRIVATE_FOLDER });
    for (const name of await collectionsOf(database))
      collections.push({
        service,
        collection: name,
        ...(await backUpCollection(database.collection(name), folder, service)),
      });
  }
  const objects = await backUpObjects(stores, folder);
  const finished: Manifest = { format: 1, startedAt, finishedAt: new Date().toISOString(), collections, objects };
  await writeFile(path.join(folder, MANIFEST), Readable.from([Buffer.from(`${JSON.stringify(finished, null, 2)}\n`)]));
  return finished;
}

async function collectionsOf(database: mongo.Db): Promise<string[]> {
  const found = await database.listCollections({}, { nameOnly: true }).toArray();
  const names = found.map(({ name }) => name).filter((name) => !name.startsWith('system.') && !LEFT_OUT.has(name));
  const turnOf = (name: string): number => Number(READ_LAST.includes(name)) - Number(READ_FIRST.includes(name));
  return names.sort((a, b) => turnOf(a) - turnOf(b) || a.localeCompare(b));
}

async function backUpCollection(
  collection: mongo.Collection,
  folder: string,
  service: string,
): Promise<Pick<Manifest['collections'][number], 'documents' | 'sha256' | 'indexes'>> {
  let documents = 0;
  const read = async function* (): AsyncGenerator<Buffer> {
    // By id, so that a concurrently changed document is read exactly once.
    const cursor = collection.find<Buffer>({}, { raw: true, sort: { _id: 1 }, batchSize: BATCH_DOCUMENTS });
    for await (const document of cursor) {
      documents += 1;
      yield document;
    }
  };
  const file = path.join(folder, collectionFile(service, collection.collectionName));
  const { sha256 } = await writeFile(file, read(), { compress: true });
  const indexes = (await collection.indexes()).map(({ v: _version, ns: _namespace, ...index }) => index);
  return { documents, sha256, indexes };
}

async function backUpObjects({ files, bucket }: Stores, folder: string): Promise<Manifest['objects']> {
  const total = { count: 0, bytes: 0 };
  const waiting: ObjectEntry[] = [];

  /** @returns undefined for an object removed meanwhile */
  const copy = async (key: string): Promise<ObjectEntry | undefined> => {
    const body = await files.getObject(bucket, key).catch((error: unknown) => {
      if (error instanceof S3Error && error.code === 'NoSuchKey') return undefined;
      throw error;
    });
    if (body === undefined) return undefined;
    const file = path.join(folder, objectFile(key));
    await mkdir(path.dirname(file), { recursive: true, mode: PRIVATE_FOLDER });
    const { bytes, sha256 } = await writeFile(file, body);
    const { headers } = body as Readable & { headers?: Record<string, string> };
    return { key, bytes, sha256, contentType: headers?.['content-type'] ?? 'application/octet-stream' };
  };

  const list = async function* (): AsyncGenerator<Buffer> {
    if (!(await files.bucketExists(bucket))) return;
    const running = new Set<Promise<void>>();
    const flush = function* (): Generator<Buffer> {
      for (const entry of waiting.splice(0)) {
        total.count += 1;
        total.bytes += entry.bytes;
        yield Buffer.from(`${JSON.stringify(entry)}\n`);
      }
    };
    for await (const { name } of files.listObjectsV2(bucket, '', true) as AsyncIterable<{ name?: string }>) {
      if (name === undefined || name.startsWith(TEMPORARY_OBJECTS)) continue;
      const task: Promise<void> = copy(name).then((entry) => {
        if (entry) waiting.push(entry);
        running.delete(task);
      });
      // A failed task stays in `running`, where the next await reports it.
      task.catch(() => undefined);
      running.add(task);
      if (running.size >= CONCURRENT_OBJECTS) await Promise.race(running);
      yield* flush();
    }
    await Promise.all(running);
    yield* flush();
  };

  const { sha256 } = await writeFile(path.join(folder, OBJECT_LIST), list());
  return { ...total, sha256 };
}
