import { AppError, createBoundedQueue } from '@najwa/common';
import sharp, { type Metadata, type ResizeOptions } from 'sharp';
import type { RenditionName } from '../db/pictures.js';
import { detectFormat, type ImageFormat } from './signature.js';

/** A picture in the form in which pictures are kept, and in the forms that are made of it. */
export interface TranscodedImage {
  bytes: Buffer;
  contentType: 'image/webp';
  /** Of one frame, where it is an animation. */
  width: number;
  height: number;
  renditions: Rendition[];
}

export interface Rendition {
  rendition: RenditionName;
  bytes: Buffer;
  contentType: 'image/webp' | 'image/jpeg';
}

export interface Transcoder {
  /**
   * Checks a picture by its content and makes it anew from its pixels alone: upright, in sRGB, bounded, without metadata.
   * @throws {AppError} `unsupported_image`, `image_too_large`, or `unavailable` when too many wait
   */
  transcode(content: Buffer, shape: PictureShape): Promise<TranscodedImage>;
}

/** All of it, or a square from the part that catches the eye, without movement. */
export type PictureShape = 'whole' | 'square';

type DecodedFormat = Exclude<ImageFormat, 'heic'>;

/** The product's 5 MB. */
export const MAX_IMAGE_BYTES = 5 * 1024 * 1024;

/** An animation of noise grows when it is encoded anew. */
const MAX_STORED_BYTES = 2 * MAX_IMAGE_BYTES;

const MAX_SIDE = 2048;

/** The largest avatar that a page shows, on a screen with four pixels to a point. */
const SQUARE_SIDE = 416;

/** A list shows a picture 380 pixels wide at most, and most screens have two to a point. */
const SMALL_SIDE = 760;

/** Pixels of all frames together. With these the costliest picture of each format takes about 450 MB to decode; AVIF takes 18 bytes a pixel. */
const MAX_PIXELS: Record<DecodedFormat, number> = { jpeg: 50e6, png: 50e6, webp: 50e6, gif: 50e6, avif: 25e6 };
const MAX_FRAMES = 500;

const DECODE_SECONDS = 10;
const RUNNING = 2;
const WAITING = 32;
const RETRY_AFTER_SECONDS = 2;

const QUALITY = 82;
/** libwebp's, of 6. An animation has many frames to spend it on. */
const EFFORT = { still: 4, square: 4, animation: 2 };

/** How sharp names the formats that we accept. It says heif of AVIF and HEIC alike, and the latter's decoder is not in it. */
const SHARP_NAMES: Record<DecodedFormat, string> = { jpeg: 'jpeg', png: 'png', webp: 'webp', gif: 'gif', avif: 'heif' };

const LOADERS = [
  'VipsForeignLoadJpegBuffer',
  'VipsForeignLoadPngBuffer',
  'VipsForeignLoadWebpBuffer',
  'VipsForeignLoadNsgifBuffer',
  'VipsForeignLoadHeifBuffer',
];

export function createTranscoder(): Transcoder {
  // These are the whole process's: no cache of what strangers sent, one thread a picture, and no decoder but those we mean
  // (an SVG, for one, could make the renderer read files).
  sharp.cache(false);
  sharp.concurrency(1);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: LOADERS });
  const enqueue = createBoundedQueue({ concurrency: RUNNING, maxWaiting: WAITING, retryAfter: RETRY_AFTER_SECONDS });

  return {
    async transcode(content, shape) {
      if (content.length > MAX_IMAGE_BYTES) throw tooLarge('The picture is larger than 5 MB.');
      const format = requireSupported(detectFormat(content));
      return enqueue(async () => {
        const animated = await checkHeader(content, format);
        return encode(content, format, shape === 'square' ? 'square' : animated ? 'animation' : 'still');
      });
    },
  };
}

function requireSupported(format: ImageFormat | undefined): DecodedFormat {
  if (format === undefined) throw unsupported('Unsupported file type. Send a JPEG, PNG, WebP or GIF picture.');
  if (format === 'heic') throw unsupported('HEIC pictures cannot be read here. Send it as JPEG, PNG or WebP.');
  return format;
}

/** Decides by the header alone, before a pixel is decoded. @returns whether it is an animation */
async function checkHeader(content: Buffer, format: DecodedFormat): Promise<boolean> {
  const mayMove = format === 'gif' || format === 'webp';
  const header: Metadata = await sharp(content, { animated: mayMove, limitInputPixels: false })
    .metadata()
    .catch((error: unknown) => {
      throw unreadable(error);
    });
  if (header.format !== SHARP_NAMES[format]) throw unreadable();
  const frames = mayMove ? (header.pages ?? 1) : 1;
  // The height of an animation is that of all its frames, one below the other.
  if (header.width * header.height > MAX_PIXELS[format] || frames > MAX_FRAMES)
    throw tooLarge('The picture has too many pixels.');
  return frames > 1;
}

type Output = 'still' | 'animation' | 'square';

async function encode(content: Buffer, format: DecodedFormat, output: Output): Promise<TranscodedImage> {
  const size: ResizeOptions =
    output === 'square'
      ? { width: SQUARE_SIDE, height: SQUARE_SIDE, fit: 'cover', position: 'attention' }
      : { width: MAX_SIDE, height: MAX_SIDE, fit: 'inside', withoutEnlargement: true };
  const pipeline = sharp(content, {
    animated: output === 'animation',
    limitInputPixels: MAX_PIXELS[format],
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

/**
 * The other forms, all of them still. They are made of the picture as it is kept: what a stranger sent is decoded once, and
 * these cost what a picture of our own costs.
 */
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
