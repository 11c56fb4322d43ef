import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { TEMPORARY_OBJECTS } from '@najwa/common/retention';
import { S3Error, type Client } from 'minio';
import { connectStore, createBlobStore, REGION, type BlobStoreOptions } from '../clients/blob-store.js';
import { compareClocks, isUnreachable, Problem, type Checks } from './checks.js';
import { forgeWrites } from './forged-writes.js';

const BYTES = Buffer.from('0123456789');
const DATE_TIMEOUT_MS = 10_000;

/** Tries every operation of media and backups, in a temporary bucket if ours is missing. */
export async function checkStore(options: BlobStoreOptions, { check, signal }: Checks): Promise<void> {
  const { endpoint, accessKey } = options;
  const { host } = new URL(endpoint);
  const { client, agent } = connectStore(options);
  const run = `doctor-${randomUUID().slice(0, 8)}`;
  const prefix = `${TEMPORARY_OBJECTS}${run}/`;
  let bucket = options.bucket;
  const explain = (error: Error): string | undefined => {
    if (isUnreachable(error)) return `Nothing answers at ${host}. Start it, or correct S3_ENDPOINT.`;
    const code = codeOf(error) ?? codeOf(error.cause);
    if (code === 'SignatureDoesNotMatch') return 'It refuses S3_SECRET_KEY: it is not the secret of S3_ACCESS_KEY.';
    if (code === 'InvalidAccessKeyId') return 'It does not know S3_ACCESS_KEY.';
    if (code === 'AccessDenied')
      return `S3_ACCESS_KEY may not do all that media does in the bucket ${bucket}: list, put, get, copy and delete.`;
    return (error.cause as Error | undefined)?.message;
  };
  const isThere = await check(
    'Store',
    async () => {
      if (await hasBucket(client, bucket)) return `at ${host}`;
      bucket = `najwa-${run}`;
      await client.makeBucket(bucket, REGION);
      return `at ${host}`;
    },
    explain,
  );
  const blobs = createBlobStore({ ...options, bucket });
  try {
    if (!isThere) return;
    await check(
      'Store objects',
      async () => {
        const [first, second] = [`${prefix}first`, `${prefix}second`];
        await blobs.put(first, BYTES, 'text/plain');
        if (!(await blobs.copy(first, second))) throw new Problem('It does not copy objects.');
        for (const [range, expected] of [
          [undefined, '0123456789'],
          [{ start: 2, end: 4 }, '234'],
        ] as const) {
          const body = await blobs.open(second, range);
          if (body === null || (await buffer(body)).toString() !== expected)
            throw new Problem(
              `It does not give back ${range ? 'a range of an object' : 'an object'} as it was written.`,
            );
        }
        if ((await list(client, bucket, prefix)).length !== 2) throw new Problem('It does not list its objects.');
        await blobs.remove(first);
        if ((await blobs.open(first)) !== null) throw new Problem('It keeps an object that was deleted.');
        return 'put, got, got by range, copied, listed and deleted';
      },
      explain,
    );
    signal.throwIfAborted();
    await check('Clock of the store', () =>
      compareClocks(async () => {
        const { headers } = await fetch(endpoint, { method: 'HEAD', signal: AbortSignal.timeout(DATE_TIMEOUT_MS) });
        return new Date(headers.get('date') ?? Number.NaN);
      }),
    );
    await check('Forged writes', () => judgeForgedWrites(endpoint, accessKey, bucket, prefix), explain);
  } finally {
    if (isThere) for (const key of await list(client, bucket, prefix)) await client.removeObject(bucket, key);
    if (isThere && bucket !== options.bucket) await client.removeBucket(bucket);
    blobs.close();
    agent.destroy();
  }
}

const codeOf = (error: unknown): string | undefined => (error instanceof S3Error ? error.code : undefined);

/** Lists, since `bucketExists` does not say why it was refused. */
const hasBucket = (client: Client, bucket: string): Promise<boolean> =>
  list(client, bucket, TEMPORARY_OBJECTS).then(
    () => true,
    (error: unknown) => {
      if (codeOf(error) === 'NoSuchBucket') return false;
      throw error;
    },
  );

async function list(client: Client, bucket: string, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { name } of client.listObjectsV2(bucket, prefix, true) as AsyncIterable<{ name?: string }>)
    if (name !== undefined) keys.push(name);
  return keys;
}

/** Shorter ones are chosen names, such as "minioadmin". */
const DRAWN_KEY_LENGTH = 16;
const LOOPBACK = /^(localhost|127\.[\d.]+|\[::1\])$/;

async function judgeForgedWrites(endpoint: string, accessKey: string, bucket: string, prefix: string): Promise<string> {
  const writes = await forgeWrites(endpoint, accessKey, bucket, prefix);
  const accepted = writes.filter((write) => write.accepted).map(({ name }) => name);
  if (accepted.length === 0) return `${writes.length} kinds are refused`;
  if (writes.some(({ accepted: isAccepted, needsKey }) => isAccepted && !needsKey))
    throw new Problem('It takes writes of everybody. Remove the policy that makes the bucket public.');
  const fault =
    'takes writes of everybody who knows the access key, without its secret: ' +
    `${accepted.join(', ')} (CVE-2026-40344, CVE-2026-41145)`;
  if (accessKey.length < DRAWN_KEY_LENGTH && !LOOPBACK.test(new URL(endpoint).hostname))
    throw new Problem(
      `It ${fault}. Use a store without this fault, or draw a key of ${DRAWN_KEY_LENGTH} random characters.`,
    );
  return `but it ${fault}. Let only media reach it, with a key that was drawn`;
}
