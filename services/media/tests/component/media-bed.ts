import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createEvent } from '@najwa/common/amqp';
import { clientStream, createGrpcClient, unary } from '@najwa/common/grpc';
import { IDENTITY_HEADER } from '@najwa/common/identity';
import type { Event, MessageState } from '@najwa/proto/events';
import {
  ImageKind,
  MediaServiceClient,
  VoiceType,
  type MorphVoiceOrder,
  type MorphVoiceRequest,
  type MorphVoiceResponse,
  type StoreImageResponse,
} from '@najwa/proto/media';
import { sharedBed, startTestBed, type Answer, type Bed, type CallerIdentity } from '@najwa/testing';
import { Client } from 'minio';
import type { MediaContext } from '../../src/context.js';
import { applyAnswer } from '../../src/files/message-media.js';
import { sweep, type SweepDeps } from '../../src/files/sweep.js';

export type Payload = NonNullable<Event['payload']>;

export interface FetchOptions {
  identity?: CallerIdentity;
  method?: 'GET' | 'HEAD';
  /** For pictures only. */
  size?: 'small';
  headers?: Record<string, string>;
}

export interface Fetched {
  status: number;
  headers: Headers;
  bytes: Buffer;
}

/** The media service, called as the other services call it. */
export interface MediaBed {
  bed: Bed;
  store(
    content: Buffer,
    options?: { storageKey?: string; readerIds?: number[]; kind?: ImageKind; senderKey?: string; senderSite?: string },
  ): Promise<StoreImageResponse>;
  /** Sends a recording in chunks, as messages does. */
  morph(
    recording: Buffer,
    order?: Partial<MorphVoiceOrder> & { senderKey?: string; senderSite?: string },
  ): Promise<MorphVoiceResponse>;
  preview(recording: Buffer, options?: { voiceType?: string; identity?: CallerIdentity }): Promise<Answer>;
  fetchImage(name: string, options?: FetchOptions): Promise<Fetched>;
  /** @param path as in an `audioUrl` */
  fetchSound(path: string, options?: FetchOptions): Promise<Fetched>;
  /** Publishes events and waits until the service has handled all of them. */
  deliver(...payloads: Payload[]): Promise<void>;
  /** All keys in the bucket. */
  listObjects(): Promise<string[]>;
  readObject(key: string): Promise<Buffer>;
  stop(): Promise<void>;
}

const STORE_DEADLINE_MS = 30_000;
const MORPH_DEADLINE_MS = 60_000;
const PIECE_BYTES = 16 * 1024;

export const newStorageKey = (): string => randomUUID();

export const sample = (name: string): Promise<Buffer> => readFile(new URL(`../samples/${name}`, import.meta.url));

/** An event of a message that carries a picture, a sound, or neither. */
export function messageState(changes: Partial<MessageState>): MessageState {
  return {
    id: 1,
    userId: 1,
    content: 'مرحبا',
    isRead: false,
    isPublic: false,
    imageName: '',
    audioName: '',
    createdAt: new Date(),
    revision: 1,
    ...changes,
  };
}

/**
 * A replica that has been connected to the broker for as long as it takes to go by the age of files.
 * @param published takes its events, which go nowhere
 */
export function longConnected(replica: MediaContext, published: Event[] = []): SweepDeps {
  const publish = (events: readonly Event[]) => Promise.resolve(void published.push(...events));
  return { ...replica, bus: { isConnected: () => true, publish } };
}

/**
 * Sweeps in the place of a replica that has been connected for long, answers for messages and auth that no message and no
 * account has the files that they are asked for, and sweeps again.
 */
export async function sweepUnclaimed(replica: MediaContext, now: Date): Promise<void> {
  const asking = longConnected(replica);
  await sweep(asking, now);
  const asked = { unclaimedSince: { $gt: new Date(0) }, askedAt: { $gt: new Date(0) } };
  const names = await Promise.all(
    ['pictures', 'sounds'].map((name) => replica.database.connection.collection(name).find(asked).toArray()),
  );
  const released = names.flat().map(({ name }) => name as string);
  await applyAnswer(replica, { claims: [], released });
  await sweep(asking, now);
}

/** The form that a browser sends with a recording. */
export function voiceForm(recording: Buffer, fields: Record<string, string>): FormData {
  const form = new FormData();
  form.set('audio', new File([new Uint8Array(recording)], 'recording.webm', { type: 'audio/webm' }));
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

/** For tests that neither wait for events nor look at everything that is stored. */
export const shareMediaBed = async (): Promise<MediaBed> => connectToMedia(await sharedBed());

export async function startMediaBed(env: Record<string, string> = { RATE_LIMIT_SCALE: '0' }): Promise<MediaBed> {
  const bed = await startTestBed({ services: ['media'], env });
  const media = connectToMedia(bed);
  const stop = async (): Promise<void> => {
    await media.stop();
    await bed.stop();
  };
  return { ...media, stop };
}

function connectToMedia(bed: Bed): MediaBed {
  const client = createGrpcClient(MediaServiceClient, bed.grpc('media'), bed.callerOf('messages'));
  const storeImage = unary(client.storeImage.bind(client), STORE_DEADLINE_MS);
  const streams = createGrpcClient(MediaServiceClient, bed.grpc('media'), bed.callerOf('messages'), {
    isForStreams: true,
  });
  const morphVoice = clientStream<MorphVoiceRequest, MorphVoiceResponse>(
    streams.morphVoice.bind(streams),
    MORPH_DEADLINE_MS,
  );
  const { minio, bucket } = connectStore(bed.environment);

  const countHandled = async (): Promise<number> => {
    const metrics = await (await fetch(`${bed.url('media')}/metrics`)).text();
    return [...metrics.matchAll(/^events_consumed_total\{.*outcome="handled".*\} (\d+)$/gm)].reduce(
      (sum, [, count]) => sum + Number(count),
      0,
    );
  };

  const fetchFile = async (
    path: string,
    { identity, method = 'GET', headers = {} }: FetchOptions,
  ): Promise<Fetched> => {
    const response = await fetch(`${bed.url('media')}/api${path}`, {
      method,
      headers: { ...headers, [IDENTITY_HEADER]: await bed.identityToken('media', identity) },
    });
    return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
  };

  return {
    bed,
    store: (content, options) =>
      storeImage({
        content,
        storageKey: newStorageKey(),
        readerIds: [],
        kind: ImageKind.IMAGE_KIND_MESSAGE,
        // A different sender for each picture by default.
        senderKey: `network ${randomUUID()}`,
        ...options,
      }),
    async morph(recording, { senderKey = `network ${randomUUID()}`, senderSite, ...order } = {}) {
      const call = morphVoice();
      await call.write({ part: { $case: 'senderKey', value: senderKey }, senderSite });
      for (let start = 0; start < recording.length; start += PIECE_BYTES) {
        await call.write({ part: { $case: 'recording', value: recording.subarray(start, start + PIECE_BYTES) } });
      }
      const value = {
        voiceType: VoiceType.VOICE_TYPE_MALE,
        storageKey: newStorageKey(),
        readerIds: [1],
        isAltered: false,
        maker: { $case: 'visitorId', value: 'visitor' } as const,
        ...order,
      };
      await call.write({ part: { $case: 'order', value } });
      return call.finish();
    },
    preview: (recording, { voiceType = 'male', identity = {} } = {}) =>
      bed.call('media', 'POST', '/api/audio/preview', {
        identity,
        init: { body: voiceForm(recording, { voiceType, isPreview: 'true' }) },
      }),
    fetchImage: (name, options = {}) =>
      fetchFile(`/image/${name}${options.size === undefined ? '' : `?size=${options.size}`}`, options),
    fetchSound: (path, options = {}) => fetchFile(path, options),
    async deliver(...payloads) {
      const before = await countHandled();
      await bed.publish(payloads.map((payload) => createEvent(randomUUID(), payload)));
      await bed.eventually(async () => {
        if ((await countHandled()) < before + payloads.length) throw new Error('Some events are not handled yet.');
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
    stop() {
      client.close();
      streams.close();
      return Promise.resolve();
    },
  };
}

function connectStore(environment: Bed['environment']): { minio: Client; bucket: string } {
  const {
    S3_ENDPOINT = '',
    S3_ACCESS_KEY: accessKey = '',
    S3_SECRET_KEY: secretKey = '',
    S3_BUCKET: bucket = '',
  } = environment;
  const { hostname, port, protocol } = new URL(S3_ENDPOINT);
  return {
    minio: new Client({
      endPoint: hostname,
      ...(port !== '' && { port: Number(port) }),
      useSSL: protocol === 'https:',
      accessKey,
      secretKey,
    }),
    bucket,
  };
}
