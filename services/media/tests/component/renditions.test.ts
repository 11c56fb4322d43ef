import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AppError } from '@najwa/common/errors';
import { Metrics } from '@najwa/common/metrics';
import { ImageKind } from '@najwa/proto/media';
import sharp from 'sharp';
import { createTranscoder } from '../../src/pictures/transcoder.js';
import { sample, shareMediaBed, type Fetched, type MediaBed } from './media-bed.js';

const READER = { userId: 7 };
const WITH_WEBP = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8';
const WITHOUT_WEBP = 'image/png,image/svg+xml,image/*;q=0.8,video/*;q=0.8,*/*;q=0.5';

/** Markers needed to show pixels. Comments and APP1 to APP15 carry EXIF, XMP and profiles. */
const PIXEL_MARKERS = [0xc0, 0xc4, 0xdb, 0xdd, 0xe0];

let media: MediaBed;

beforeAll(async () => {
  media = await shareMediaBed();
});

afterAll(() => media.stop());

/** Of one colour: on a busy machine, a photograph of this size may take longer than is allowed. */
const LARGE = 'of 5.2 megapixels';
const makeLarge = (): Promise<Buffer> =>
  sharp({ create: { width: 2600, height: 2000, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer();

async function store(file: string, kind = ImageKind.IMAGE_KIND_MESSAGE): Promise<string> {
  const content = file === LARGE ? await makeLarge() : await sample(file);
  return (await media.store(content, { readerIds: [READER.userId], kind })).name;
}

async function fetchForm(name: string, accept: string, size?: 'small'): Promise<Fetched> {
  const answer = await media.fetchImage(name, {
    identity: READER,
    headers: { accept },
    ...(size !== undefined && { size }),
  });
  expect(answer.status).toBe(200);
  return answer;
}

const describeForm = async ({ bytes }: Fetched) => {
  const { format, width, height, pageHeight, pages = 1 } = await sharp(bytes, { animated: true }).metadata();
  return [format, width, pageHeight ?? height, pages];
};

function markersOf(jpeg: Buffer): number[] {
  const markers: number[] = [];
  // Marker DA starts the first scan. Only pixels follow it.
  for (let offset = 2; jpeg[offset] === 0xff && jpeg[offset + 1] !== 0xda; offset += 2 + jpeg.readUInt16BE(offset + 2))
    markers.push(jpeg.readUInt8(offset + 1));
  return markers;
}

// Threat model: sender-19.
test('a picture is refused if its site has too few pixels left', async () => {
  const left: Record<string, number> = { '192.0.2.0/24': 5 };
  const refusal = new AppError({ code: 'too_many_requests', message: 'Too many pixels.' });
  const transcoder = createTranscoder(new Metrics('test'), (site, megapixels) =>
    megapixels > (left[site] ?? 0) ? Promise.reject(refusal) : Promise.resolve(),
  );
  const order = { kind: 'message', sender: 'visitor 1', site: '192.0.2.0/24' } as const;
  // 5.2 megapixels.
  await expect(transcoder.transcode(await sample('large.jpg'), order)).rejects.toBe(refusal);
});

describe('a picture', () => {
  test.each([
    ['photo-rotated.jpg', ['webp', 1200, 800, 1], ['jpeg', 1200, 800, 1], ['webp', 931, 621, 1]],
    [LARGE, ['webp', 2335, 1796, 1], ['jpeg', 2335, 1796, 1], ['webp', 867, 667, 1]],
    ['photo.png', ['webp', 451, 300, 1], ['jpeg', 451, 300, 1], ['webp', 451, 300, 1]],
    ['animated.gif', ['webp', 160, 120, 16], ['jpeg', 160, 120, 1], ['webp', 160, 120, 1]],
    ['1x1.png', ['webp', 1, 1, 1], ['jpeg', 1, 1, 1], ['webp', 1, 1, 1]],
  ])('the picture %s is served as WebP, as JPEG and small', async (file, whole, jpeg, small) => {
    const name = await store(file);
    expect(await describeForm(await fetchForm(name, WITH_WEBP))).toEqual(whole);
    expect(await describeForm(await fetchForm(name, WITHOUT_WEBP))).toEqual(jpeg);
    expect(await describeForm(await fetchForm(name, WITH_WEBP, 'small'))).toEqual(small);
    expect(await describeForm(await fetchForm(name, WITHOUT_WEBP, 'small'))).toEqual(jpeg);
  });

  test('a picture has the right type and length in each form', async () => {
    const name = await store('photo-rotated.jpg');
    for (const accept of [WITH_WEBP, WITHOUT_WEBP]) {
      for (const size of [undefined, 'small'] as const) {
        const { headers, bytes } = await fetchForm(name, accept, size);
        expect(headers.get('content-type')).toBe(accept === WITH_WEBP ? 'image/webp' : 'image/jpeg');
        expect(headers.get('content-length')).toBe(String(bytes.length));
        const head = await media.fetchImage(name, {
          identity: READER,
          method: 'HEAD',
          headers: { accept },
          ...(size !== undefined && { size }),
        });
        expect([head.headers.get('content-type'), head.headers.get('content-length')]).toEqual([
          headers.get('content-type'),
          headers.get('content-length'),
        ]);
      }
    }
  });

  test('a picture is much smaller in its small form', async () => {
    const name = await store(LARGE);
    const [whole, small] = [await fetchForm(name, WITH_WEBP), await fetchForm(name, WITH_WEBP, 'small')];
    expect(small.bytes.length).toBeLessThan(whole.bytes.length / 4);
  });

  test.each(['photo-gps.jpg', 'photo.webp', 'photo.avif'])('the JPEG of %s has no metadata', async (file) => {
    const name = await store(file);
    const { bytes } = await fetchForm(name, WITHOUT_WEBP);
    expect(markersOf(bytes).filter((marker) => !PIXEL_MARKERS.includes(marker))).toEqual([]);
  });

  test('a transparent picture gets a white background as JPEG', async () => {
    const clear = await sharp({
      create: { width: 80, height: 10, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    })
      .png()
      .toBuffer();
    const { name } = await media.store(clear, { readerIds: [READER.userId] });
    const { channels } = await sharp((await fetchForm(name, WITHOUT_WEBP)).bytes).stats();
    expect(channels.map(({ min }) => min)).toEqual([255, 255, 255]);
  });
});

test('an animation that lies on its side is stored upright, each frame on its own', async () => {
  const frames = await Promise.all(
    ['red', 'blue'].map((background) =>
      sharp({ create: { width: 8, height: 4, channels: 3, background: 'white' } })
        .composite([{ input: { create: { width: 4, height: 4, channels: 3, background } }, left: 4, top: 0 }])
        .png()
        .toBuffer(),
    ),
  );
  const animation = await sharp(frames, { join: { animated: true } })
    .withMetadata({ orientation: 8 })
    .webp({ lossless: true })
    .toBuffer();
  const { name } = await media.store(animation, { readerIds: [READER.userId] });
  const stored = await fetchForm(name, WITH_WEBP);
  expect(await describeForm(stored)).toEqual(['webp', 4, 8, 2]);
  const tops = await Promise.all(
    frames.map(async (_frame, page) => {
      const top = sharp(stored.bytes, { page }).extract({ left: 0, top: 0, width: 4, height: 4 });
      const { r, b } = (await sharp(await top.png().toBuffer()).stats()).dominant;
      return r > 200 && b > 200 ? 'white' : r > b ? 'red' : 'blue';
    }),
  );
  expect(tops).toEqual(['red', 'blue']);
});

test('an avatar has no small form and is available as JPEG', async () => {
  const name = await store('photo-gps.jpg', ImageKind.IMAGE_KIND_AVATAR);
  expect(await describeForm(await fetchForm(name, WITH_WEBP, 'small'))).toEqual(['webp', 416, 416, 1]);
  expect(await describeForm(await fetchForm(name, WITHOUT_WEBP))).toEqual(['jpeg', 416, 416, 1]);
});
