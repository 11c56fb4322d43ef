import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { channelCredentials, channelOptions, createEvent, IDENTITY_HEADER, unary } from '@najwa/common';
import { startTestBed, type TestBed } from '@najwa/dev-env';
import type { Event, MessageState } from '@najwa/proto/events';
import { ImageKind, MediaServiceClient, type StoreImageResponse } from '@najwa/proto/media';
import { Client } from 'minio';

export type Payload = NonNullable<Event['payload']>;

export interface FetchOptions {
  identity?: Parameters<TestBed['identityToken']>[0];
  method?: 'GET' | 'HEAD';
  headers?: Record<string, string>;
}

/** The media service, and what its neighbours do with it. */
export interface MediaBed {
  bed: TestBed;
  store(content: Buffer, options?: { storageKey?: string; readerIds?: number[]; kind?: ImageKind }): Promise<StoreImageResponse>;
  fetchImage(name: string, options?: FetchOptions): Promise<{ status: number; headers: Headers; bytes: Buffer }>;
  /** Publishes events, and waits until the service has handled all of them. */
  deliver(...payloads: Payload[]): Promise<void>;
  /** What the bucket holds. */
  listObjects(): Promise<string[]>;
  readObject(key: string): Promise<Buffer>;
  stop(): Promise<void>;
}

const STORE_DEADLINE_MS = 30_000;

export const newStorageKey = (): string => randomUUID();

export const sample = (name: string): Promise<Buffer> => readFile(new URL(`../samples/${name}`, import.meta.url));

/** An event of a message that carries a picture. */
export function messageState(imageName: string, changes: Partial<MessageState>): MessageState {
  return { id: 1, userId: 1, content: 'مرحبا', isRead: false, isPublic: false, imageName, createdAt: new Date(), revision: 1, ...changes };
}

export async function startMediaBed(): Promise<MediaBed> {
  const bed = await startTestBed({ services: ['media'] });
  const client = new MediaServiceClient(bed.grpc('media'), channelCredentials, channelOptions);
  const storeImage = unary(client.storeImage.bind(client), STORE_DEADLINE_MS);
  const { minio, bucket } = connectStore(bed.environment);

  const countHandled = async (): Promise<number> => {
    const metrics = await (await fetch(`${bed.url('media')}/metrics`)).text();
    return [...metrics.matchAll(/^events_consumed_total\{.*outcome="handled".*\} (\d+)$/gm)].reduce((sum, [, count]) => sum + Number(count), 0);
  };

  return {
    bed,
    store: (content, { storageKey = newStorageKey(), readerIds = [], kind = ImageKind.IMAGE_KIND_MESSAGE } = {}) => storeImage({ content, storageKey, readerIds, kind }),
    async fetchImage(name, { identity, method = 'GET', headers = {} } = {}) {
      const response = await fetch(`${bed.url('media')}/api/image/${name}`, { method, headers: { ...headers, [IDENTITY_HEADER]: await bed.identityToken(identity) } });
      return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
    },
    async deliver(...payloads) {
      const before = await countHandled();
      await bed.publish(payloads.map((payload) => createEvent(randomUUID(), payload)));
      await bed.eventually(async () => {
        if ((await countHandled()) < before + payloads.length) throw new Error('Not all events have been handled.');
      });
    },
    async listObjects() {
      const objects = (await minio.listObjectsV2(bucket, '', true).toArray()) as { name?: string }[];
      return objects.flatMap(({ name }) => name ?? []);
    },
    async readObject(key) {
      const body = await minio.getObject(bucket, key);
      return Buffer.concat((await body.toArray()) as Buffer[]);
    },
    async stop() {
      client.close();
      await bed.stop();
    },
  };
}

function connectStore(environment: TestBed['environment']): { minio: Client; bucket: string } {
  const { S3_ENDPOINT = '', S3_ACCESS_KEY: accessKey = '', S3_SECRET_KEY: secretKey = '', S3_BUCKET: bucket = '' } = environment;
  const { hostname, port, protocol } = new URL(S3_ENDPOINT);
  return { minio: new Client({ endPoint: hostname, ...(port !== '' && { port: Number(port) }), useSSL: protocol === 'https:', accessKey, secretKey }), bucket };
}
