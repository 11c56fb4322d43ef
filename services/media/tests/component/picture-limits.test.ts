// Long run: pictures of forty megapixels.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { AppError } from '@najwa/common/errors';
import { ImageKind } from '@najwa/proto/media';
import sharp from 'sharp';
import { sample, shareMediaBed, startMediaBed, type MediaBed } from './media-bed.js';

const canvas = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: 'teal' } });

/** A few hundred bytes that decode to millions of pixels. */
const drawAvif = (side: number): Promise<Buffer> => canvas(side, side).avif({ quality: 1, effort: 0 }).toBuffer();

let media: MediaBed;

beforeAll(async () => {
  media = await shareMediaBed();
});

afterAll(() => media.stop());

describe('the pixel limit', () => {
  const storeImage = (content: Buffer) => media.store(content);
  const storeAvatar = (content: Buffer) => media.store(content, { kind: ImageKind.IMAGE_KIND_AVATAR });

  test('the pixel limit applies to an AVIF of any file size', async () => {
    const content = await drawAvif(4990);
    expect(content.length).toBeLessThan(2_000);
    for (const store of [storeImage, storeAvatar]) {
      await expect(store(content)).rejects.toMatchObject({
        code: 'image_too_many_pixels',
        message: expect.stringContaining('12 megapixels'),
      });
    }
  });

  test('the pixel limit of an avatar is lower than that of a message picture', async () => {
    const content = await canvas(5000, 4000).jpeg().toBuffer();
    await expect(storeAvatar(content)).rejects.toMatchObject({ code: 'image_too_many_pixels' });
    expect(await media.store(content)).toMatchObject({ width: 2290, height: 1832 });
  });

  test('accepts an avatar with the resolution of a phone camera', async () => {
    const content = await canvas(4032, 3024).jpeg().toBuffer();
    expect(await storeAvatar(content)).toMatchObject({ width: 416, height: 416 });
  });
});

// Threat model: sender-19.
test('limits a sender of forty large pictures without affecting other senders', async () => {
  const [large, small, senderKey] = [await drawAvif(3500), await sample('1x1.png'), randomUUID()];
  const flood = Promise.allSettled(Array.from({ length: 40 }, () => media.store(large, { senderKey })));
  const others = await Promise.all(Array.from({ length: 10 }, () => media.store(small, { senderKey: randomUUID() })));
  expect(others).toHaveLength(10);
  const refusals = (await flood).flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason as AppError] : [],
  );
  // The four that have a place are stored, or, on a busy machine, take or wait for longer than they may.
  const limited = refusals.filter(({ code }) => code === 'too_many_requests');
  expect(limited).toHaveLength(36);
  for (const { retryAfter } of limited) expect(retryAfter).toEqual(expect.any(Number));
});

// Threat model: sender-19.
test('the senders of a site share a budget of pixels without affecting others', async () => {
  const limited = await startMediaBed({ RATE_LIMIT_SCALE: '1', PICTURE_SITE_LIMIT: '20/600' });
  try {
    const content = await canvas(3000, 4000).png().toBuffer();
    const store = (senderSite: string) => limited.store(content, { senderSite });
    expect(await store('192.0.2.0/24')).toMatchObject({ width: 1774, height: 2365 });
    await expect(store('192.0.2.0/24')).rejects.toMatchObject({
      code: 'too_many_requests',
      retryAfter: expect.any(Number),
    });
    await store('198.51.100.0/24');
  } finally {
    await limited.stop();
  }
});
