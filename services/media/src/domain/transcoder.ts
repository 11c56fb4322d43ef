import { AppError } from '@najwa/common/errors';
import { createFairQueue, measureQueue } from '@najwa/common/limits';
import type { Metrics } from '@najwa/common/metrics';
import { LIMITS, type ErrorCode } from '@najwa/proto/http/client';
import sharp, { type Metadata, type OutputInfo, type ResizeOptions, type Sharp, type WebpOptions } from 'sharp';
import type { PictureKind, RenditionName } from '../db/pictures.js';
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
  /** The keys by which the pictures of one sender are counted. */
  sender: string;
  site: string;
}

export interface Transcoder {
  /**
   * Checks a picture by its content and encodes it again from its pixels alone: upright, in sRGB, bounded, without
   * metadata.
   * @throws {AppError} one of `PictureRefusal`, `too_many_requests` when its sender or site has too many waiting or
   * sends too many pixels, `unavailable` when all senders together have too many waiting
   */
  transcode(content: Buffer, options: TranscodeOptions): Promise<TranscodedImage>;
}

/** Why a picture is refused. */
type PictureRefusal = Extract<ErrorCode, `image_${string}` | 'unsupported_image'>;

type DecodedFormat = Exclude<ImageFormat, 'heic' | 'tiff'>;

/** More than an upload may have, because a noisy animation grows when it is re-encoded. */
const MAX_STORED_BYTES = 2 * LIMITS.messageImageBytes;

/**
 * A bound on the area, so that a screenshot of a long page keeps its width. No side may be longer than WebP allows.
 */
const MAX_AREA = 2048 ** 2;
const MAX_SIDE = 16_383;

/** The largest avatar on a page, at a pixel ratio of 4. */
const SQUARE_SIDE = 416;

/** Lists show pictures at most 380 pixels wide, and most screens have a pixel ratio of 2. */
const SMALL_AREA = 760 ** 2;

/** Pixels of all frames together. Phones take photographs of 12 megapixels, and of 50 at most. */
const MAX_PIXELS: Record<PictureKind, number> = { message: 50e6, chat: 50e6, avatar: 16e6 };

/** A few hundred bytes of AVIF can hold any number of pixels, and its decoder uses the most memory per pixel. */
const MAX_AVIF_PIXELS = 12.5e6;

/** Measured worst-case decoding memory per format, in bytes per pixel. */
const DECODED_BYTES: Record<DecodedFormat, number> = { jpeg: 9, png: 9, webp: 9, gif: 9, avif: 20 };

const QUEUE_LIMITS = {
  /** Memory for all pictures being decoded, in bytes: a photograph of 20 megapixels beside the largest picture. */
  capacity: 640 * 1024 * 1024,
  maxRunning: 2,
  runningPerSender: 1,
  // The other place is for other sites.
  runningPerSite: 1,
  waitingPerSender: 3,
  waitingPerSite: 8,
  maxWaiting: 32,
  retryAfter: 2,
  // Together with the decoding time, less than a caller's deadline.
  maxWaitMs: 12_000,
};

const TIME_LIMIT = { seconds: 10 };

const QUALITY = 82;
/** Effort of libwebp, up to 6. Lower for animations, which have many frames. */
const EFFORT = { still: 4, square: 4, animation: 2 };

/** sharp's names of the accepted formats. It calls both AVIF and HEIC heif, and cannot decode HEIC. */
const SHARP_NAMES: Record<DecodedFormat, string> = { jpeg: 'jpeg', png: 'png', webp: 'webp', gif: 'gif', avif: 'heif' };

/** aom of sharp's prebuilt binary decodes no more. */
const MAX_AVIF_BITS = 8;

/** How the frames of an animation are turned, by their EXIF orientation. A flip comes before a rotation. */
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

/** @param spend counts megapixels of a site, which is what decoding costs. @throws {AppError} `too_many_requests` */
export function createTranscoder(
  metrics: Metrics,
  spend: (site: string, megapixels: number) => Promise<void>,
): Transcoder {
  // Process-wide settings: no cache of uploads, one thread per picture, and only these decoders. An SVG could make the
  // renderer read files.
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
  /** Of all frames together. */
  pixels: number;
  frames: number;
  /** Size of an upright frame. */
  width: number;
  height: number;
  orientation: number;
}

/** Reads only the header, before any pixel is decoded. */
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
  // The height of an animation includes all frames, stacked.
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

/** The size in which a picture has at most an area, with its own proportions. */
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
    if (error instanceof Error && error.message.startsWith('timeout'))
      throw refuse('image_too_many_pixels', 'The picture takes too long to read. Make it smaller.', error);
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

/** sharp takes 16-bit pictures without a profile for P3, although they are in sRGB. With 8 bits it does not. */
const toSrgb = (picture: Sharp, { depth }: Header): Sharp =>
  (depth === 'ushort' ? picture.pipelineColourspace('srgb') : picture).withIccProfile('srgb', { attach: false });

const timingOf = ({ delay, loop }: Header): Pick<WebpOptions, 'delay' | 'loop'> => ({
  ...(delay !== undefined && { delay }),
  ...(loop !== undefined && { loop }),
});

/** sharp holds the frames of an animation in one tall picture, and would turn that. So each frame is turned alone. */
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

/** The other forms, without animation. Made from the stored picture, so that an upload is decoded only once. */
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

const damaged = (cause?: unknown): AppError =>
  refuse('image_damaged', 'The picture cannot be read. It may be damaged.', cause);
