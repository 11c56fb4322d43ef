import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { AppError } from '@najwa/common/errors';
import { newStorageKey, sample, startMediaBed, type MediaBed } from './media-bed.js';

let media: MediaBed;
let recording: Buffer;

beforeAll(async () => {
  media = await startMediaBed({ RATE_LIMIT_SCALE: '1', VOICE_LIMIT: '3/600', VOICE_SITE_LIMIT: '8/600' });
  recording = await sample('speech-0.3s.webm');
});

afterAll(() => media.stop());

test('limits the previews of a sender and answers with Retry-After', async () => {
  const statuses: number[] = [];
  for (let count = 0; count < 4; count += 1)
    statuses.push((await media.preview(recording, { identity: { visitorId: `new cookie ${count}` } })).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
  const refusal = await media.preview(recording);
  expect(refusal.body).toMatchObject({ code: 'too_many_requests' });
  expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await media.preview(recording, { identity: { userId: 5 } })).status).toBe(200);
});

test('a message counts towards the preview limit unless its preview was made before', async () => {
  const userId = 6;
  const order = { senderKey: `user ${userId}`, maker: { $case: 'userId', value: userId } as const };
  expect((await media.preview(recording, { identity: { userId } })).status).toBe(200);
  await media.morph(recording, order);
  await media.morph(recording, order);
  const another = await sample('speech-stereo.webm');
  const storageKey = newStorageKey();
  await media.morph(another, { ...order, storageKey });
  await media.morph(another, { ...order, storageKey });
  expect((await media.preview(recording, { identity: { userId } })).status).toBe(200);
  await expect(media.morph(another, order)).rejects.toMatchObject({
    code: 'too_many_requests',
    retryAfter: expect.any(Number),
  });
  expect((await media.preview(recording, { identity: { userId } })).status).toBe(429);
});

// Threat model: sender-19.
test('the senders of a site share a budget of seconds without affecting others', async () => {
  const morph = (senderSite: string): Promise<string> =>
    media.morph(recording, { senderSite }).then(
      () => 'stored',
      ({ code }: AppError) => code,
    );
  const outcomes = [];
  for (let count = 0; count < 9; count += 1) outcomes.push(await morph('192.0.2.0/24'));
  expect([outcomes[0], outcomes.at(-1)]).toEqual(['stored', 'too_many_requests']);
  expect(await morph('198.51.100.0/24')).toBe('stored');
});
