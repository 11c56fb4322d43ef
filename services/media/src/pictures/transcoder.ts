import { AppError } from '@najwa/common/errors';
import { createFairQueue, measureQueue } from '@najwa/common/limits';
import type { Metrics } from '@najwa/common/metrics';
import { LIMITS, type ErrorCode } from '@najwa/proto/http/client';
import sharp, { type Metadata, type OutputInfo, type ResizeOptions, type Sharp, type WebpOptions } from 'sharp';
import type { PictureKind, RenditionName } from './picture-store.js';
import { detectFormat, type ImageFormat } from './signature.js';

export interface TranscodedImage {
  bytes: Buffer;
  contentType: 'image/webp';
  /** Of one frame. */
  width: number;
  height: number;
  renditions: Rendition[];
}

export interface Rendition {
  rendition: RenditionName;
  bytes: Buffer;
  contentType: 'image/webp' | 'image/jpeg';
}

export interface TranscodeOptions {
  /** An avatar becomes a still square, with a lower pixel limit. */
  kind: PictureKind;
  /** Quota keys of the sender. */
  sender: string;
  site: string;
}

export interface Transcoder {
  /**
   * Detects the format by content and re-encodes pixels only: upright, sRGB, bounded, without metadata.
   * @throws {AppError} one of `PictureRefusal`, `too_many_requests` if sender or site exceed queue or pixels,
   * `unavailable` if the queue is full, or a small one took too long
   */
  transcode(content: Buffer, options: TranscodeOptions): Promise<TranscodedImage>;
}

type PictureRefusal = Extract<ErrorCode, `image_${string}` | 'unsupported_image'>;

type DecodedFormat = Exclude<ImageFormat, 'heic' | 'tiff'>;

/** Above the upload limit, because a noisy animation grows when re-encoded. */
const MAX_STORED_BYTES = 2 * LIMITS.messageImageBytes;

/** Bounds the area, so that a screenshot of a long page keeps its width; `MAX_SIDE` is WebP's limit. */
const MAX_AREA = 2048 ** 2;
const MAX_SIDE = 16_383;

/** The largest avatar on a page at pixel ratio 4. */
const SQUARE_SIDE = 416;

/** Lists are at most 380 pixels wide, mostly at pixel ratio 2. */
const SMALL_AREA = 760 ** 2;

/** All frames together. Phone cameras have 12 to 50 megapixels. */
const MAX_PIXELS: Record<PictureKind, number> = { message: 50e6, chat: 50e6, avatar: 16e6 };

/** A few hundred bytes of AVIF can hold any number of pixels, and its decoder uses most memory per pixel. */
const MAX_AVIF_PIXELS = 12.5e6;

/** Measured worst case, in bytes per pixel. */
const DECODED_BYTES: Record<DecodedFormat, number> = { jpeg: 9, png: 9, webp: 9, gif: 9, avif: 20 };

const QUEUE_LIMITS = {
  /** Bytes of decoder memory: a 20-megapixel photo plus the largest picture. */
  capacity: 640 * 1024 * 1024,
  maxRunning: 2,
  runningPerSender: 1,
  // Leaves the other slot to other sites.
  runningPerSite: 1,
  waitingPerSender: 3,
  waitingPerSite: 8,
  maxWaiting: 32,
  retryAfter: 2,
  // With the decoding time, below a caller's deadline.
  maxWaitMs: 12_000,
};

const TIME_LIMIT = { seconds: 10 };
/** Read in a second, unless the machine is busy. */
const QUICK_PIXELS = 4e6;

const QUALITY = 82;
/** libwebp effort, up to 6. Lower for many frames. */
const EFFORT = { still: 4, square: 4, animation: 2 };

/** sharp reports AVIF and HEIC as heif, and cannot decode HEIC. */
const SHARP_NAMES: Record<DecodedFormat, string> = { jpeg: 'jpeg', png: 'png', webp: 'webp', gif: 'gif', avif: 'heif' };

/** Limit of aom in sharp's prebuilt binary. */
const MAX_AVIF_BITS = 8;

/** Frame transforms by EXIF orientation. Flips precede rotations. */
const TURNS: Record<number, { flip?: true; flop?: true; angle?: number }> = {
  2: { flop: true },
  3: { angle: 180 },
  4: { flip: true },
  5: { flip: true, angle: 90 },
  6: { angle: 90 },
  7: { flip: true, angle: 270 },
  8: { angle: 270 },
};

const LOADERS = [
  'VipsForeignLoadJpegBuffer',
  'VipsForeignLoadPngBuffer',
  'VipsForeignLoadWebpBuffer',
  'VipsForeignLoadNsgifBuffer',
  'VipsForeignLoadHeifBuffer',
];

/** @param spend charges a site the megapixels to decode. @throws {AppError} `too_many_requests` */
export function createTranscoder(
  metrics: Metrics,
  spend: (site: string, megapixels: number) => Promise<void>,
): Transcoder {
  // Process-wide: no cache of uploads, one thread per picture, and these decoders only, since an SVG could read files.
  sharp.cache(false);
  sharp.concurrency(1);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: LOADERS });
  const enqueue = measureQueue(createFairQueue(QUEUE_LIMITS), 'pictures', metrics);

  return {
    async transcode(content, { kind, sender, site }) {
      if (content.length > LIMITS.messageImageBytes)
        throw refuse('image_too_large', 'The picture is larger than 5 MB.');
      const format = requireSupported(detectFormat(content));
      const maxPixels = format === 'avif' ? MAX_AVIF_PIXELS : MAX_PIXELS[kind];
      const header = await checkHeader(content, format, maxPixels);
      await spend(site, Math.ceil(header.pixels / 1e6));
      const weight = header.pixels * DECODED_BYTES[format];
      const output = kind === 'avatar' ? 'square' : header.frames > 1 ? 'animation' : 'still';
      return enqueue({ sender, site, weight }, () => encode(content, output, header, maxPixels));
    },
  };
}

function requireSupported(format: ImageFormat | undefined): DecodedFormat {
  if (format === undefined)
    throw refuse('unsupported_image', 'Unsupported file type. Send a JPEG, PNG, WebP, GIF or AVIF picture.');
  if (format === 'heic')
    throw refuse('image_is_heic', 'HEIC pictures cannot be read here. Send it as JPEG, PNG or WebP.');
  if (format === 'tiff')
    throw refuse('image_is_tiff', 'TIFF pictures cannot be read here. Send it as JPEG, PNG or WebP.');
  return format;
}

interface Header extends Pick<Metadata, 'delay' | 'loop' | 'depth'> {
  /** All frames together. */
  pixels: number;
  frames: number;
  /** Of an upright frame. */
  width: number;
  height: number;
  orientation: number;
}

/** Decodes no pixels. */
async function checkHeader(content: Buffer, format: DecodedFormat, maxPixels: number): Promise<Header> {
  const canAnimate = format === 'gif' || format === 'webp';
  const header: Metadata = await sharp(content, { animated: canAnimate, limitInputPixels: false })
    .metadata()
    .catch((error: unknown) => {
      throw damaged(error);
    });
  if (header.format !== SHARP_NAMES[format]) throw damaged();
  const { width, pages, pageHeight = header.height, orientation = 1, bitsPerSample = MAX_AVIF_BITS } = header;
  if (format === 'avif' && bitsPerSample > MAX_AVIF_BITS)
    throw refuse(
      'image_too_deep',
      `AVIF pictures of ${bitsPerSample} bits cannot be read here. Send it as JPEG or PNG.`,
    );
  const frames = canAnimate ? (pages ?? 1) : 1;
  if (frames > LIMITS.imageFrames)
    throw refuse(
      'image_too_many_frames',
      `The animation has ${frames} frames. At most ${LIMITS.imageFrames} are accepted.`,
    );
  // Frames are stacked in the height.
  const pixels = width * header.height;
  if (pixels > maxPixels)
    throw refuse(
      'image_too_many_pixels',
      `The picture has too many pixels. At most ${Math.floor(maxPixels / 1e6)} megapixels are accepted.`,
    );
  const size = orientation > 4 ? { width: pageHeight, height: width } : { width, height: pageHeight };
  const { delay, loop, depth } = header;
  return { pixels, frames, ...size, orientation, delay, loop, depth };
}

type Output = 'still' | 'animation' | 'square';

interface Size {
  width: number;
  height: number;
}

function within(maxArea: number, { width, height }: Size): Size {
  const scale = Math.min(1, Math.sqrt(maxArea / (width * height)), MAX_SIDE / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

async function encode(content: Buffer, output: Output, header: Header, maxPixels: number): Promise<TranscodedImage> {
  const webp = { quality: QUALITY, effort: EFFORT[output] };
  const open = (isAnimated: boolean): Sharp =>
    sharp(content, { animated: isAnimated, limitInputPixels: maxPixels, failOn: 'error' }).timeout(TIME_LIMIT);
  const encoded = async (): Promise<{ data: Buffer; info: OutputInfo }> => {
    if (output === 'animation' && header.orientation > 1)
      return (await turnFrames(open(true), header))
        .webp({ ...webp, ...timingOf(header) })
        .toBuffer({ resolveWithObject: true });
    const size: ResizeOptions =
      output === 'square'
        ? { width: SQUARE_SIDE, height: SQUARE_SIDE, fit: 'cover', position: 'attention' }
        : { ...within(MAX_AREA, header), fit: 'fill' };
    const upright = open(output === 'animation')
      .autoOrient()
      .resize(size);
    return toSrgb(upright, header).webp(webp).toBuffer({ resolveWithObject: true });
  };
  const { data, info } = await encoded().catch((error: unknown) => {
    const isTooSlow = error instanceof Error && error.message.startsWith('timeout');
    if (isTooSlow && header.pixels <= QUICK_PIXELS) throw busy(error);
    if (isTooSlow) throw refuse('image_too_many_pixels', 'The picture takes too long to read. Make it smaller.', error);
    throw damaged(error);
  });
  if (data.length > MAX_STORED_BYTES)
    throw refuse('image_too_many_pixels', 'The picture is too large once it is read. Make it smaller.');
  const image = {
    bytes: data,
    contentType: 'image/webp',
    width: info.width,
    height: info.pageHeight ?? info.height,
  } as const;
  return { ...image, renditions: await makeRenditions(image, output) };
}

/** sharp treats 16-bit pictures without a profile as P3, although they are sRGB. */
const toSrgb = (picture: Sharp, { depth }: Header): Sharp =>
  (depth === 'ushort' ? picture.pipelineColourspace('srgb') : picture).withIccProfile('srgb', { attach: false });

const timingOf = ({ delay, loop }: Header): Pick<WebpOptions, 'delay' | 'loop'> => ({
  ...(delay !== undefined && { delay }),
  ...(loop !== undefined && { loop }),
});

/** sharp stacks frames in one tall picture, so each is turned separately. */
async function turnFrames(animation: Sharp, header: Header): Promise<Sharp> {
  const upright = within(MAX_AREA, header);
  const isOnItsSide = header.orientation > 4;
  const size = isOnItsSide ? { width: upright.height, height: upright.width } : upright;
  const { data, info } = await toSrgb(animation.resize({ ...size, fit: 'fill' }), header)
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { channels, width, pageHeight = info.height } = info;
  const frameBytes = width * pageHeight * channels;
  const { flip = false, flop = false, angle = 0 } = TURNS[header.orientation] ?? {};
  for (let start = 0; start < data.length; start += frameBytes) {
    const frame = sharp(data.subarray(start, start + frameBytes), { raw: { width, height: pageHeight, channels } });
    const turned = await frame.timeout(TIME_LIMIT).flip(flip).flop(flop).rotate(angle).raw().toBuffer();
    turned.copy(data, start);
  }
  const raw = { width: upright.width, height: upright.height * header.frames, channels, pageHeight: upright.height };
  return sharp(data, { raw }).timeout(TIME_LIMIT);
}

/** Without animation. From the stored picture, so that uploads are decoded once. */
async function makeRenditions(
  { bytes, width, height }: Omit<TranscodedImage, 'renditions'>,
  output: Output,
): Promise<Rendition[]> {
  const still = sharp(bytes).timeout(TIME_LIMIT);
  const jpeg = await still.clone().flatten({ background: 'white' }).jpeg({ quality: QUALITY }).toBuffer();
  const renditions: Rendition[] = [{ rendition: 'jpeg', bytes: jpeg, contentType: 'image/jpeg' }];
  if (output === 'animation' || width * height > SMALL_AREA) {
    const shrunk = still.clone().resize({ ...within(SMALL_AREA, { width, height }), fit: 'fill' });
    const small = await shrunk.webp({ quality: QUALITY, effort: EFFORT.still }).toBuffer();
    renditions.push({ rendition: 'small', bytes: small, contentType: 'image/webp' });
  }
  return renditions;
}

const refuse = (code: PictureRefusal, message: string, cause?: unknown): AppError =>
  new AppError({ code, message, cause });

const busy = (cause: unknown): AppError =>
  new AppError({ code: 'unavailable', message: 'Try again shortly.', retryAfter: QUEUE_LIMITS.retryAfter, cause });

const damaged = (cause?: unknown): AppError =>
  refuse('image_damaged', 'The picture cannot be read. It may be damaged.', cause);
