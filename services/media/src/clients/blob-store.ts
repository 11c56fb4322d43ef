import { Agent as HttpAgent, IncomingMessage } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Readable } from 'node:stream';
import { AppError } from '@najwa/common/errors';
import type { ByteRange } from '@najwa/common/http';
import type { Metrics } from '@najwa/common/metrics';
import { withSpan } from '@najwa/common/tracing';
import { Client, S3Error } from 'minio';

export interface BlobStoreOptions {
  endpoint: string;
  accessKey: string;
  secretKey: string;
  bucket: string;
}

/** Objects in MinIO, private to this service. Every failure is `unavailable`. */
export interface BlobStore {
  prepare(): Promise<void>;
  put(key: string, bytes: Buffer, contentType: string): Promise<void>;
  /** @returns false if there is nothing to copy */
  copy(from: string, to: string): Promise<boolean>;
  /** @returns null if there is no such key */
  open(key: string, range?: ByteRange): Promise<Readable | null>;
  /** Idempotent. */
  remove(key: string): Promise<void>;
  check(): Promise<void>;
  close(): void;
}

/** MinIO ignores it, but naming one saves a request per bucket. */
export const REGION = 'us-east-1';

/** Until the first byte. */
const ANSWER_TIMEOUT_MS = 10_000;

/** Idle limit within a body. Longer, because a slow reader also stalls the stream. */
const BODY_TIMEOUT_MS = 60_000;

export function createBlobStore({ bucket, ...access }: BlobStoreOptions, metrics?: Metrics): BlobStore {
  const { client, agent } = connectStore(access);

  const reach = async <Result>(operation: string, call: () => Promise<Result>): Promise<Result> => {
    try {
      return await withSpan(`storage ${operation}`, call);
    } catch (error) {
      metrics?.dependencyErrors.inc({ dependency: 'storage' });
      throw new AppError({
        code: 'unavailable',
        message: 'The files cannot be reached just now. Try again shortly.',
        retryAfter: 2,
        cause: error,
      });
    }
  };

  return {
    prepare: () =>
      reach('prepare', async () => {
        if (await client.bucketExists(bucket)) return;
        await client.makeBucket(bucket, REGION).catch(ignore('BucketAlreadyOwnedByYou', 'BucketAlreadyExists'));
      }),
    put: (key, bytes, contentType) =>
      reach('put', async () => {
        await client.putObject(bucket, key, bytes, bytes.length, { 'Content-Type': contentType });
      }),
    copy: (from, to) =>
      reach('copy', async () => {
        const copied = await client.copyObject(bucket, to, `/${bucket}/${from}`).catch(ignore('NoSuchKey'));
        return copied !== undefined;
      }),
    open: (key, range) =>
      reach('get', async () => {
        const opening = range
          ? client.getPartialObject(bucket, key, range.start, range.end - range.start + 1)
          : client.getObject(bucket, key);
        const body = await opening.catch(ignore('NoSuchKey'));
        if (body instanceof IncomingMessage) body.setTimeout(BODY_TIMEOUT_MS);
        return body ?? null;
      }),
    remove: (key) => reach('remove', () => client.removeObject(bucket, key)),
    check: () =>
      reach('check', async () => {
        if (!(await client.bucketExists(bucket))) throw new Error('The bucket is missing.');
      }),
    close: () => agent.destroy(),
  };
}

export function connectStore({ endpoint, accessKey, secretKey }: Omit<BlobStoreOptions, 'bucket'>): {
  client: Client;
  agent: HttpAgent;
} {
  const { protocol, hostname, port } = new URL(endpoint);
  const useSSL = protocol === 'https:';
  const agent = createAgent(useSSL);
  const client = new Client({
    endPoint: hostname,
    ...(port !== '' && { port: Number(port) }),
    useSSL,
    accessKey,
    secretKey,
    region: REGION,
    transportAgent: agent,
    // minio's own retries write to the console, and callers retry anyway.
    retryOptions: { disableRetry: true },
  });
  return { client, agent };
}

/** minio sets no timeout. */
function createAgent(secure: boolean): HttpAgent {
  const options = { keepAlive: true, timeout: ANSWER_TIMEOUT_MS };
  const agent = secure ? new HttpsAgent(options) : new HttpAgent(options);
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (...parameters) => {
    const socket = connect(...parameters);
    socket?.on('timeout', () => socket.destroy(new Error('The store does not answer.')));
    return socket;
  };
  return agent;
}

const ignore =
  (...codes: string[]) =>
  (error: unknown): undefined => {
    if (!(error instanceof S3Error && codes.includes(error.code ?? ''))) throw error;
  };
