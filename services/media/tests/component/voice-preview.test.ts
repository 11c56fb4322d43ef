import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { VoiceType } from '@najwa/proto/media';
import type { CallerIdentity } from '@najwa/testing';
import { createContext, type MediaContext } from '../../src/context.js';
import { loadConfig } from '../../src/index.js';
import { sweep } from '../../src/files/sweep.js';
import { messageState, newStorageKey, sample, startMediaBed, sweepUnclaimed, type MediaBed } from './media-bed.js';

const OWNER = { userId: 1 };
const VISITOR: CallerIdentity = { visitorId: 'one' };
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let media: MediaBed;
/** A second replica without an open port. */
let replica: MediaContext;
let recording: Buffer;

beforeAll(async () => {
  media = await startMediaBed();
  replica = await createContext(loadConfig(media.bed.environmentOf('media')));
  await replica.database.connect();
  await replica.bus.start();
  await media.bed.eventually(() => expect(replica.bus.isConnected()).toBe(true));
  recording = await sample('speech-0.3s.webm');
});

afterAll(async () => {
  await replica.bus.stop();
  await replica.threads.close();
  replica.blobs.close();
  await replica.database.close();
  await media.stop();
});

const preview = async (identity = VISITOR, voiceType = 'male'): Promise<string> => {
  const answer = await media.preview(recording, { identity, voiceType });
  expect(answer.status).toBe(200);
  return (answer.body as { previewUrl: string }).previewUrl;
};

const hear = async (path: string, identity: CallerIdentity) => (await media.fetchSound(path, { identity })).bytes;
const hearMessage = (name: string) => hear(`/audio/stream/${name}`, OWNER);
const asVisitor = (value: string) => ({ maker: { $case: 'visitorId', value } as const });

describe('a preview', () => {
  test('a preview plays in a browser without cookies, a new visitor in each request', async () => {
    const path = await preview({ visitorId: 'first request' });
    expect((await media.fetchSound(path, { identity: { visitorId: 'second request' } })).status).toBe(200);
  });

  test('a preview has an unguessable and unique address', async () => {
    const paths = [await preview(), await preview()];
    for (const path of paths) expect(path).toMatch(/^\/audio\/stream\/[\w-]{22}$/);
    expect(new Set(paths).size).toBe(2);
    const guess = `${paths[0]?.slice(0, -1)}${paths[0]?.endsWith('A') ? 'B' : 'A'}`;
    expect((await media.fetchSound(guess, { identity: VISITOR })).status).toBe(404);
  });

  test('a preview is reused for its message', async () => {
    const heard = await hear(await preview(), VISITOR);
    const { name } = await media.morph(recording, asVisitor('one'));
    expect((await hearMessage(name)).equals(heard)).toBe(true);
  });

  test('the latest of several previews is reused for its message', async () => {
    const [first, last] = [await hear(await preview(), VISITOR), await hear(await preview(), VISITOR)];
    expect(first.equals(last)).toBe(false);
    const { name } = await media.morph(recording, asVisitor('one'));
    expect((await hearMessage(name)).equals(last)).toBe(true);
  });

  test('a preview is not reused for another voice, maker or recording', async () => {
    const heard = await hear(await preview(), VISITOR);
    const sent = await Promise.all([
      media.morph(recording, { ...asVisitor('one'), voiceType: VoiceType.VOICE_TYPE_FEMALE }),
      media.morph(recording, asVisitor('two')),
      media.morph(recording, { maker: { $case: 'userId', value: 1 } }),
      media.morph(await sample('speech-stereo.webm'), asVisitor('one')),
    ]);
    for (const { name } of sent) expect((await hearMessage(name)).equals(heard)).toBe(false);
  });

  test('a preview is removed independently of its message', async () => {
    const path = await preview();
    const { name } = await media.morph(recording, asVisitor('one'));
    expect(path.endsWith(name)).toBe(false);
    expect((await media.fetchSound(`/audio/stream/${name}`, { identity: VISITOR })).status).toBe(404);
    await media.deliver({
      $case: 'messageDeleted',
      value: { messageId: 1, userId: 1, revision: 2, imageName: '', audioName: name },
    });
    expect((await media.fetchSound(path, { identity: VISITOR })).status).toBe(200);
  });

  test('a preview is removed after ten minutes', async () => {
    const path = await preview();
    const key = path.slice('/audio/stream/'.length);
    await sweep(replica, new Date(Date.now() + 9 * MINUTE_MS));
    expect((await media.fetchSound(path, { identity: VISITOR })).status).toBe(200);
    await sweep(replica, new Date(Date.now() + 11 * MINUTE_MS));
    expect((await media.fetchSound(path, { identity: VISITOR })).status).toBe(404);
    expect(await media.listObjects()).not.toContain(key);
    expect(await replica.database.connection.collection('sounds').countDocuments({ name: key })).toBe(0);
  });
});

describe('storing a voice message', () => {
  test('storing a voice returns the same sound for the same key, even concurrently', async () => {
    const storageKey = newStorageKey();
    const answers = await Promise.all(Array.from({ length: 6 }, () => media.morph(recording, { storageKey })));
    answers.push(await media.morph(recording, { storageKey }));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  });

  test('a stored voice is removed after a day unless a message claims it', async () => {
    const [forgotten, named] = [await media.morph(recording), await media.morph(recording)];
    await media.deliver({
      $case: 'messageCreated',
      value: { message: messageState({ audioName: named.name }) },
    });
    await sweepUnclaimed(replica, new Date(Date.now() + 23 * HOUR_MS));
    expect(await media.listObjects()).toEqual(expect.arrayContaining([forgotten.name, named.name]));
    await sweepUnclaimed(replica, new Date(Date.now() + 25 * HOUR_MS));
    expect(await media.listObjects()).not.toContain(forgotten.name);
    expect(await media.listObjects()).toContain(named.name);
  });

  test.each<[string, Parameters<MediaBed['morph']>[1]]>([
    ['a voice', { voiceType: VoiceType.VOICE_TYPE_UNSPECIFIED }],
    ['a key', { storageKey: 'short' }],
    ['a maker', { maker: undefined }],
    ['a sender', { senderKey: '' }],
  ])('storing a voice fails without %s', async (_name, order) => {
    await expect(media.morph(recording, order)).rejects.toMatchObject({ code: 'invalid_input' });
  });
});
