import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { z } from 'zod';

/** All documents as concatenated BSON, gzipped. */
export const collectionFile = (service: string, collection: string): string =>
  path.join('databases', service, `${encodeURIComponent(collection)}.bson.gz`);

/** Escaped against path traversal. */
export const objectFile = (key: string): string => {
  const name = encodeURIComponent(key).replaceAll('.', '%2E');
  return path.join('objects', createHash('sha256').update(key).digest('hex').slice(0, 2), name);
};

/** One JSON line per object. */
export const OBJECT_LIST = 'objects.jsonl';
export const MANIFEST = 'manifest.json';

export const objectEntry = z.object({
  key: z.string(),
  bytes: z.number(),
  sha256: z.string(),
  contentType: z.string(),
});
export type ObjectEntry = z.output<typeof objectEntry>;

/** Written last: a folder without it is unfinished. */
export const manifest = z.object({
  format: z.literal(1),
  startedAt: z.string(),
  finishedAt: z.string(),
  collections: z.array(
    z.object({
      service: z.string(),
      collection: z.string(),
      documents: z.number(),
      sha256: z.string(),
      indexes: z.array(z.record(z.string(), z.unknown())),
    }),
  ),
  objects: z.object({ count: z.number(), bytes: z.number(), sha256: z.string() }),
});
export type Manifest = z.output<typeof manifest>;

const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;

/** @throws if it exists */
export const createPrivateFile = (file: string): Promise<FileHandle> => open(file, 'wx', PRIVATE_FILE);

/** Counts and hashes a stream. */
export function createMeter() {
  const hash = createHash('sha256');
  const meter = { bytes: 0, digest: () => hash.digest('hex') };
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      meter.bytes += chunk.length;
      hash.update(chunk);
      done(null, chunk);
    },
  });
  return { meter, stream };
}

export interface Written {
  bytes: number;
  sha256: string;
}

/** Flushes to disk. */
export async function writeFile(
  file: string,
  content: Readable | AsyncIterable<Buffer>,
  { compress = false } = {},
): Promise<Written> {
  const { meter, stream } = createMeter();
  const handle = await createPrivateFile(file);
  const target = handle.createWriteStream({ flush: true });
  if (compress) await pipeline(content, createGzip(), stream, target);
  else await pipeline(content, stream, target);
  return { bytes: meter.bytes, sha256: meter.digest() };
}

/** @throws if the checksum differs */
export async function verifyFile(file: string, sha256: string): Promise<void> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  if (hash.digest('hex') !== sha256) throw new Error(`${file} is damaged: its checksum is another one.`);
}
