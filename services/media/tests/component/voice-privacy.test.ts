// Long run: what altered recordings keep of a speaker.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { CallerIdentity } from '@najwa/testing';
import { messageState, sample, startMediaBed, type MediaBed } from './media-bed.js';
import { decode, correlation } from './sound.js';

const OWNER = 1;
const SENDER = 2;
const ROLES: Record<string, CallerIdentity> = {
  'a visitor': {},
  'the owner': { userId: OWNER },
  'the sender': { userId: SENDER },
  'another account': { userId: 3 },
  'an administrator': { userId: 4, isAdmin: true },
};

let media: MediaBed;
let name: string;

beforeAll(async () => {
  media = await startMediaBed();
});

beforeEach(async () => {
  ({ name } = await media.morph(await sample('speech-0.3s.webm'), {
    readerIds: [OWNER],
    maker: { $case: 'userId', value: SENDER },
  }));
});

afterAll(() => media.stop());

const changed = (isPublic: boolean, revision: number) =>
  media.deliver({ $case: 'messageUpdated', value: { message: messageState({ audioName: name, isPublic, revision }) } });

const statusFor = async (identity: CallerIdentity, headers: Record<string, string> = {}) =>
  (await media.fetchSound(`/audio/stream/${name}`, { identity, headers })).status;

describe('a voice message', () => {
  test.each(Object.keys(ROLES))(
    'a voice message is available to its owner while private and to anyone while public: %s',
    async (role) => {
      const identity = ROLES[role] ?? {};
      const whilePrivate = role === 'the owner' ? 200 : 404;
      expect(await statusFor(identity)).toBe(whilePrivate);
      await changed(true, 2);
      expect(await statusFor(identity)).toBe(200);
      await changed(false, 3);
      expect(await statusFor(identity)).toBe(whilePrivate);
    },
  );

  // Threat model: minio-1.
  test('a voice message is refused after unpublishing even with a matching ETag', async () => {
    await changed(true, 2);
    const etag = (await media.fetchSound(`/audio/stream/${name}`)).headers.get('etag') ?? '';
    expect(await statusFor({}, { 'if-none-match': etag })).toBe(304);
    await changed(false, 3);
    expect(await statusFor({}, { 'if-none-match': etag })).toBe(404);
    expect(await statusFor({}, { range: 'bytes=0-9' })).toBe(404);
  });

  test('a voice message is deleted with its message, and later events do not restore it', async () => {
    await changed(true, 2);
    const gone = {
      $case: 'messageDeleted',
      value: { messageId: 1, userId: OWNER, revision: 3, imageName: '', audioName: name },
    } as const;
    await media.deliver(gone);
    expect(await media.listObjects()).not.toContain(name);
    await media.deliver(gone);
    await changed(true, 9);
    expect(await statusFor({ userId: OWNER })).toBe(404);
  });

  test('a voice message gets the same 404 whether forbidden or missing', async () => {
    const paths = [
      name,
      Buffer.from(name, 'base64url').reverse().toString('base64url'),
      'x',
      `${name}%00`,
      '..%2F..%2Fetc',
    ];
    const refusals = await Promise.all(
      paths.map((path) => media.bed.call('media', 'GET', `/api/audio/stream/${path}`)),
    );
    for (const refusal of refusals) expect(refusal).toMatchObject({ status: 404, body: refusals[0]?.body });
  });
});

// Threat model: owner-2.
test('no stored object is the original recording', async () => {
  const recording = await sample('speech-ar-2.mp4');
  const { name: kept } = await media.morph(recording);
  await media.preview(recording);
  const raw = (await decode(recording)).samples;
  for (const key of await media.listObjects()) {
    const bytes = await media.readObject(key);
    expect(bytes.equals(recording)).toBe(false);
    const { samples } = await decode(bytes);
    if (samples.length > raw.length / 2) expect(correlation(raw, samples)).toBeLessThan(0.3);
  }
  expect(await media.listObjects()).toContain(kept);
});
