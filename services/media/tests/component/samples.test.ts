// Long run: samples of pictures.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AppError } from '@najwa/common/errors';
import { ImageKind } from '@najwa/proto/media';
import sharp from 'sharp';
import { newStorageKey, sample, shareMediaBed, type MediaBed } from './media-bed.js';

const READER = { userId: 7 };

/** Chunks needed to show pixels. Others, such as EXIF, XMP and ICCP, carry metadata. */
const PIXEL_CHUNKS = ['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF'];

/** Metadata in the samples: people, devices, places, comments, programs and metadata formats. */
const TRACES = [
  'Najwa',
  'Tester',
  'Canon',
  'Samsung',
  'SM-G991B',
  '0923847561',
  'private note',
  'Exif',
  'EXIF',
  'XMP ',
  'xmpmeta',
  'adobe',
  'Photoshop',
  'GPSLatitude',
  'ICC_PROFILE',
  'alert(',
];

let media: MediaBed;

beforeAll(async () => {
  media = await shareMediaBed();
});

afterAll(() => media.stop());

const chunksOf = (webp: Buffer): string[] => {
  const names: string[] = [];
  for (let offset = 12; offset + 8 <= webp.length;) {
    names.push(webp.toString('latin1', offset, offset + 4));
    const size = webp.readUInt32LE(offset + 4);
    offset += 8 + size + (size % 2);
  }
  return names;
};

const storeAndFetch = async (
  file: string,
): Promise<{ stored: { name: string; width: number; height: number }; bytes: Buffer }> => {
  const stored = await media.store(await sample(file), { readerIds: [READER.userId] });
  const { status, bytes } = await media.fetchImage(stored.name, { identity: READER });
  expect(status).toBe(200);
  return { stored, bytes };
};

describe('a picture', () => {
  test.each([
    ['photo-gps.jpg', 1600, 1600],
    ['photo-rotated.jpg', 1200, 800],
    ['photo.png', 451, 300],
    ['photo.webp', 1600, 1600],
    ['photo.avif', 1600, 1600],
    ['animated.gif', 160, 120],
    ['large.jpg', 2335, 1796],
    ['1x1.png', 1, 1],
    ['gif-js-polyglot.gif', 1, 1],
  ])('%s is stored as WebP of %i × %i without metadata', async (file, width, height) => {
    const { stored, bytes } = await storeAndFetch(file);
    expect(stored).toMatchObject({ width, height });
    expect(bytes.toString('latin1', 8, 12)).toBe('WEBP');
    expect(chunksOf(bytes).filter((chunk) => !PIXEL_CHUNKS.includes(chunk))).toEqual([]);
    expect(TRACES.filter((trace) => bytes.includes(trace))).toEqual([]);
    expect(bytes.equals(await media.readObject(stored.name))).toBe(true);
  });

  test('a picture of a long page keeps a readable width', async () => {
    const page = await sharp({ create: { width: 1080, height: 14_000, channels: 3, background: 'teal' } })
      .png()
      .toBuffer();
    expect(await media.store(page)).toMatchObject({ width: 569, height: 7374 });
  });

  const kinds = { message: ImageKind.IMAGE_KIND_MESSAGE, avatar: ImageKind.IMAGE_KIND_AVATAR };
  test.each(
    ([8, 16] as const).flatMap((bits) =>
      (['no', 'srgb', 'p3'] as const).flatMap((profile) =>
        (['message', 'avatar'] as const).map((kind) => ({ bits, profile, kind })),
      ),
    ),
  )('a picture of $bits bits with $profile profile keeps its colours as $kind', async ({ bits, profile, kind }) => {
    const colour = [228, 118, 36] as const;
    const [r, g, b] = colour;
    const plain = sharp({ create: { width: 64, height: 64, channels: 3, background: { r, g, b } } });
    const deep = bits === 16 ? plain.toColourspace('rgb16') : plain;
    const png = await (profile === 'no' ? deep : deep.withIccProfile(profile)).png().toBuffer();
    const depth = bits === 16 ? 'ushort' : 'uchar';
    expect(await sharp(png).metadata()).toMatchObject({ depth, hasProfile: profile !== 'no' });
    const { name } = await media.store(png, { readerIds: [READER.userId], kind: kinds[kind] });
    for (const accept of ['image/webp', 'image/jpeg']) {
      const { bytes } = await media.fetchImage(name, { identity: READER, headers: { accept } });
      const { channels } = await sharp(bytes).stats();
      for (const [index, value] of colour.entries())
        expect(Math.abs((channels[index]?.mean ?? 0) - value)).toBeLessThan(4);
    }
  });

  test('a stored picture shows the uploaded pixels', async () => {
    const { bytes } = await storeAndFetch('photo-gps.jpg');
    expect(await difference(bytes, sharp(await sample('photo-gps.jpg')))).toBeLessThan(4);
  });

  test('a picture is rotated upright by its EXIF orientation', async () => {
    const { bytes } = await storeAndFetch('photo-rotated.jpg');
    const unrotated = sharp(await sample('photo-rotated.jpg'));
    expect(await difference(bytes, unrotated.rotate(90))).toBeLessThan(4);
  });

  test.each([2, 3, 4, 5, 6, 7, 8])('an animation turned by EXIF as %i says is stored upright', async (orientation) => {
    const [width, height] = [48, 32];
    const frames = await Promise.all(
      ['red', 'blue'].map((background) => {
        const corner = { create: { width: 20, height: 8, channels: 3 as const, background: 'white' } };
        return sharp({ create: { width, height, channels: 3, background } })
          .composite([{ input: corner, left: 0, top: 0 }])
          .withMetadata({ orientation })
          .png()
          .toBuffer();
      }),
    );
    const animation = await sharp(frames, { join: { animated: true } })
      .withMetadata({ orientation })
      .webp({ lossless: true, delay: [120, 250], loop: 3 })
      .toBuffer();
    expect((await sharp(animation).metadata()).orientation).toBe(orientation);

    const { name } = await media.store(animation, { readerIds: [READER.userId] });
    const { bytes } = await media.fetchImage(name, { identity: READER });
    expect(await sharp(bytes, { animated: true }).metadata()).toMatchObject({ pages: 2, delay: [120, 250], loop: 3 });
    for (const [page, frame] of frames.entries())
      expect(await difference(await sharp(bytes, { page }).png().toBuffer(), sharp(frame).autoOrient())).toBeLessThan(
        8,
      );
  });

  test('an animation keeps its timing', async () => {
    const { bytes } = await storeAndFetch('animated.gif');
    const [before, after] = [
      await sharp(await sample('animated.gif'), { animated: true }).metadata(),
      await sharp(bytes, { animated: true }).metadata(),
    ];
    expect(after).toMatchObject({ pages: 16, delay: before.delay, loop: before.loop });
  });
});

describe('a file that is refused', () => {
  test.each([
    ['photo.heic', 'image_is_heic', 'JPEG, PNG or WebP'],
    ['ten-bit.avif', 'image_too_deep', '10 bits'],
    ['truncated.jpg', 'image_damaged', ''],
    ['text.jpg', 'unsupported_image', 'Unsupported file type'],
    ['script.svg', 'unsupported_image', 'Unsupported file type'],
    ['svg-named.png', 'unsupported_image', 'Unsupported file type'],
    ['empty.png', 'unsupported_image', 'Unsupported file type'],
    ['bomb-20000x20000.png', 'image_too_many_pixels', ''],
  ])('%s is refused as %s and leaves nothing behind', async (file, code, words) => {
    const before = await media.listObjects();
    const refusal: unknown = await media.store(await sample(file)).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(AppError);
    expect(refusal).toMatchObject({ code, message: expect.stringContaining(words) });
    expect(await media.listObjects()).toEqual(before);
  });

  test('a picture of more than 5 MiB is refused', async () => {
    const padded = Buffer.concat([await sample('large.jpg'), Buffer.alloc(5 * 1024 * 1024)]);
    await expect(media.store(padded.subarray(0, 5 * 1024 * 1024 + 1))).rejects.toMatchObject({
      code: 'image_too_large',
    });
  });

  test('a picture with the signature of another format is refused', async () => {
    const webp = await sample('photo.webp');
    const disguised = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), webp]);
    await expect(media.store(disguised)).rejects.toMatchObject({ code: 'image_damaged' });
  });

  test('a TIFF is refused with the formats to send', async () => {
    const tiff = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'teal' } })
      .tiff()
      .toBuffer();
    await expect(media.store(tiff)).rejects.toMatchObject({
      code: 'image_is_tiff',
      message: expect.stringContaining('JPEG, PNG or WebP'),
    });
  });

  test('an animation with too many frames is refused', async () => {
    const [width, height, frames] = [8, 8, 501];
    const pixels = Buffer.alloc(width * height * frames * 3);
    for (let frame = 0; frame < frames; frame += 1)
      pixels.fill((frame % 2) * 255, frame * width * height * 3, (frame + 1) * width * height * 3);
    const gif = await sharp(pixels, { raw: { width, height: height * frames, channels: 3, pageHeight: height } })
      .gif()
      .toBuffer();
    await expect(media.store(gif)).rejects.toMatchObject({ code: 'image_too_many_frames' });
  });

  test('a decompression bomb is refused without allocating memory for its pixels', async () => {
    const bomb = await sample('bomb-20000x20000.png');
    const before = process.memoryUsage().rss;
    for (let attempt = 0; attempt < 10; attempt += 1) await media.store(bomb).catch(() => undefined);
    // Decoded, its pixels take 1.2 GB.
    expect(process.memoryUsage().rss - before).toBeLessThan(100e6);
  });

  test.each([
    ['too short', 'short'],
    ['with capitals', 'ABCDEFGHIJKLMNOPQRST'],
    ['a path', '../../../../etc/passwd'],
  ])('a malformed storage key is refused: %s', async (_name, storageKey) => {
    await expect(media.store(await sample('1x1.png'), { storageKey })).rejects.toMatchObject({ code: 'invalid_input' });
  });

  test('a refused upload does not use up its key', async () => {
    const storageKey = newStorageKey();
    await expect(media.store(await sample('text.jpg'), { storageKey })).rejects.toMatchObject({
      code: 'unsupported_image',
    });
    expect(await media.store(await sample('1x1.png'), { storageKey })).toMatchObject({ width: 1, height: 1 });
  });
});

/** Mean difference per channel, out of 255, of thumbnails so small that compression does not show. */
async function difference(bytes: Buffer, expected: sharp.Sharp): Promise<number> {
  const [one, other] = await Promise.all([thumbnail(sharp(bytes)), thumbnail(sharp(await expected.png().toBuffer()))]);
  return one.reduce((sum, value, index) => sum + Math.abs(value - (other[index] ?? 0)), 0) / one.length;
}

const thumbnail = (picture: sharp.Sharp): Promise<Buffer> =>
  picture.resize(48, 48, { fit: 'fill' }).removeAlpha().raw().toBuffer();
