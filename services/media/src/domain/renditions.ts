import type { KeptBytes } from '../db/lifecycle.js';
import { pictureKey, type PictureRecord } from '../db/pictures.js';

/** Which form of a picture somebody asks for. */
export interface WantedForm {
  small: boolean;
  jpeg: boolean;
}

/** Bytes to send, and where they are. */
export interface ChosenBytes extends KeptBytes {
  key: string;
}

/** The form that comes nearest to what was asked for: a picture that is small by itself has no smaller one, and no JPEG has. */
export function chooseForm(
  { name, renditions = [], size, contentType, etag }: PictureRecord,
  { small, jpeg }: WantedForm,
): ChosenBytes {
  const found = renditions.find(({ rendition }) => (jpeg ? rendition === 'jpeg' : small && rendition === 'small'));
  if (found === undefined) return { key: name, size, contentType, etag };
  return { key: pictureKey(name, found.rendition), size: found.size, contentType: found.contentType, etag: found.etag };
}

interface MediaRange {
  type: string;
  weight: number;
}

const readRange = (part: string): MediaRange => {
  const [type = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
  const weight = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1);
  return { type, weight: Number.isNaN(weight) ? 1 : weight };
};

/**
 * Whether somebody must get JPEG. A browser without WebP takes any image by its words, so that a wildcard beside the names of
 * other image types does not count; a wildcard alone says nothing of images, and gets WebP as does whoever says nothing.
 */
export function needsJpeg(accept: string | undefined): boolean {
  const ranges = (accept ?? '').split(',').map(readRange);
  const weightOf = (type: string): number | undefined => ranges.find((range) => range.type === type)?.weight;
  const webp = weightOf('image/webp');
  if (webp !== undefined) return webp === 0 || webp < (weightOf('image/jpeg') ?? 0);
  return ranges.some(({ type, weight }) => type.startsWith('image/') && weight > 0);
}
