import { AppError, type Metrics } from '@najwa/common';
import { LIMITS } from '@najwa/proto/http/client';
import sharp, { type Metadata, type ResizeOptions } from 'sharp';
import type { PictureKind, RenditionName } from '../db/pictures.js';
import { createFairQueue } from './fair-queue.js';
import { measureQueue } from './measured-queue.js';
import { detectFormat, type ImageFormat } from './signature.js';

/** A picture in its stored form, with the other forms made from it. */
export interface TranscodedImage {
  bytes: Buffer;
  contentType: 'image/webp';
  /** Size of one frame of an animation. */
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
  /** An avatar becomes a still square and may have fewer pixels. */
  kind: PictureKind;
  /** The key by which the pictures of one sender are counted. */
  sender: string;
}

export interface Transcoder {
  /**
   * Checks a picture by its content and encodes it again from its pixels alone: upright, in sRGB, bounded, without
   * metadata.
   * @throws {AppError} `unsupported_image`, `image_too_large`, `too_many_requests` when its sender has too many
   * waiting, `unavailable` when all senders together do
   */
  transcode(content: Buffer, options: TranscodeOptions): Promise<TranscodedImage>;
}

type DecodedFormat = Exclude<ImageFormat, 'heic'>;

/** More than an upload may have, because a noisy animation grows when it is re-encoded. */
const MAX_STORED_BYTES = 2 * LIMITS.messageImageBytes;

const MAX_SIDE = 2048;

/** The largest avatar on a page, at a pixel ratio of 4. */
const SQUARE_SIDE = 416;

/** Lists show pictures at most 380 pixels wide, and most screens have a pixel ratio of 2. */
const SMALL_SIDE = 760;

/** Pixels of all frames together. Phones take photographs of 12 megapixels, and of 50 at most. */
const MAX_PIXELS: Record<PictureKind, number> = { message: 50e6, chat: 50e6, avatar: 16e6 };

/** A few hundred bytes of AVIF can hold any number of pixels, and its decoder uses the most memory per pixel. */
const MAX_AVIF_PIXELS = 12.5e6;
const MAX_FRAMES = 500;

/** Measured worst-case decoding memory per format, in bytes per pixel. */
const DECODED_BYTES: Record<DecodedFormat, number> = { jpeg: 9, png: 9, webp: 9, gif: 9, avif: 20 };

/** Memory limit for all pictures being decoded, in bytes. */
const DECODING_MEMORY = 512 * 1024 * 1024;

const MAX_RUNNING = 2;

const QUEUE_LIMITS = {
  capacity: DECODING_MEMORY,
  runningPerSender: 1,
  waitingPerSender: 3,
  maxWaiting: 32,
  retryAfter: 2,
  // Together with the decoding time, less than a caller's deadline.
  maxWaitMs: 12_000,
};

const DECODE_SECONDS = 10;

const QUALITY = 82;
/** Effort of libwebp, up to 6. Lower for animations, which have many frames. */
const EFFORT = { still: 4, square: 4, animation: 2 };

/** sharp's names of the accepted formats. It calls both AVIF and HEIC heif, and cannot decode HEIC. */
const SHARP_NAMES: Record<DecodedFormat, string> = { jpeg: 'jpeg', png: 'png', webp: 'webp', gif: 'gif', avif: 'heif' };

const LOADERS = [
  'VipsForeignLoadJpegBuffer',
  'VipsForeignLoadPngBuffer',
  'VipsForeignLoadWebpBuffer',
  'VipsForeignLoadNsgifBuffer',
  'VipsForeignLoadHeifBuffer',
];

export function createTranscoder(metrics: Metrics): Transcoder {
  // Process-wide settings: no cache of uploads, one thread per picture, and only these decoders. An SVG could make the
  // renderer read files.
  sharp.cache(false);
  sharp.concurrency(1);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: LOADERS });
  const enqueue = measureQueue(createFairQueue(QUEUE_LIMITS), 'pictures', metrics);

  return {
    async transcode(content, { kind, sender }) {
      if (content.length > LIMITS.messageImageBytes) throw tooLarge('The picture is larger than 5 MB.');
      const format = requireSupported(detectFormat(content));
      const maxPixels = format === 'avif' ? MAX_AVIF_PIXELS : MAX_PIXELS[kind];
      const { pixels, isAnimated } = await checkHeader(content, format, maxPixels);
      const weight = Math.max(pixels * DECODED_BYTES[format], DECODING_MEMORY / MAX_RUNNING);
      const output = kind === 'avatar' ? 'square' : isAnimated ? 'animation' : 'still';
      return enqueue({ sender, weight }, () => encode(content, output, maxPixels));
    },
  };
}

function requireSupported(format: ImageFormat | undefined): DecodedFormat {
  if (format === undefined) throw unsupported('Unsupported file type. Send a JPEG, PNG, WebP or GIF picture.');
  if (format === 'heic') throw unsupported('HEIC pictures cannot be read here. Send it as JPEG, PNG or WebP.');
  return format;
}

/** Reads only the header, before any pixel is decoded. */
async function checkHeader(
  content: Buffer,
  format: DecodedFormat,
  maxPixels: number,
): Promise<{ pixels: number; isAnimated: boolean }> {
  const canAnimate = format === 'gif' || format === 'webp';
  const header: Metadata = await sharp(content, { animated: canAnimate, limitInputPixels: false })
    .metadata()
    .catch((error: unknown) => {
      throw unreadable(error);
    });
  if (header.format !== SHARP_NAMES[format]) throw unreadable();
  const frames = canAnimate ? (header.pages ?? 1) : 1;
  // The height of an animation includes all frames, stacked.
  const pixels = header.width * header.height;
  if (pixels > maxPixels || frames > MAX_FRAMES)
    throw tooLarge(`The picture has too many pixels. At most ${Math.floor(maxPixels / 1e6)} megapixels are accepted.`);
  return { pixels, isAnimated: frames > 1 };
}

type Output = 'still' | 'animation' | 'square';

async function encode(content: Buffer, output: Output, maxPixels: number): Promise<TranscodedImage> {
  const size: ResizeOptions =
    output === 'square'
      ? { width: SQUARE_SIDE, height: SQUARE_SIDE, fit: 'cover', position: 'attention' }
      : { width: MAX_SIDE, height: MAX_SIDE, fit: 'inside', withoutEnlargement: true };
  const pipeline = sharp(content, {
    animated: output === 'animation',
    limitInputPixels: maxPixels,
    failOn: 'error',
  })
    .timeout({ seconds: DECODE_SECONDS })
    .autoOrient()
    .resize(size)
    .toColourspace('srgb')
    .webp({ quality: QUALITY, effort: EFFORT[output] });
  const { data, info } = await pipeline.toBuffer({ resolveWithObject: true }).catch((error: unknown) => {
    if (error instanceof Error && error.message.startsWith('timeout'))
      throw tooLarge('The picture takes too long to read.', error);
    throw unreadable(error);
  });
  if (data.length > MAX_STORED_BYTES) throw tooLarge('The picture is too large once it is read.');
  const image = {
    bytes: data,
    contentType: 'image/webp',
    width: info.width,
    height: info.pageHeight ?? info.height,
  } as const;
  return { ...image, renditions: await makeRenditions(image, output) };
}

/** The other forms, without animation. Made from the stored picture, so that an upload is decoded only once. */
async function makeRenditions(
  { bytes, width, height }: Omit<TranscodedImage, 'renditions'>,
  output: Output,
): Promise<Rendition[]> {
  const still = sharp(bytes).timeout({ seconds: DECODE_SECONDS });
  const jpeg = await still.clone().flatten({ background: 'white' }).jpeg({ quality: QUALITY }).toBuffer();
  const renditions: Rendition[] = [{ rendition: 'jpeg', bytes: jpeg, contentType: 'image/jpeg' }];
  if (output === 'animation' || Math.max(width, height) > SMALL_SIDE) {
    const shrunk = still
      .clone()
      .resize({ width: SMALL_SIDE, height: SMALL_SIDE, fit: 'inside', withoutEnlargement: true });
    const small = await shrunk.webp({ quality: QUALITY, effort: EFFORT.still }).toBuffer();
    renditions.push({ rendition: 'small', bytes: small, contentType: 'image/webp' });
  }
  return renditions;
}

const unsupported = (message: string, cause?: unknown): AppError =>
  new AppError({ code: 'unsupported_image', message, cause });
const unreadable = (cause?: unknown): AppError => unsupported('The picture cannot be read. It may be damaged.', cause);
const tooLarge = (message: string, cause?: unknown): AppError =>
  new AppError({ code: 'image_too_large', message, cause });
