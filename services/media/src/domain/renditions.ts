import Negotiator from 'negotiator';
import type { KeptBytes } from '../db/lifecycle.js';
import { pictureKey, type PictureRecord } from '../db/pictures.js';

/** The form of a picture that a request asks for. */
export interface WantedForm {
  small: boolean;
  jpeg: boolean;
}

/** Bytes to send, and their key in the store. */
export interface ChosenBytes extends KeptBytes {
  key: string;
}

/** The closest form to the requested one. A small picture has no smaller form, and neither has a JPEG. */
export function chooseForm(
  { name, renditions, size, contentType, etag }: PictureRecord,
  { small, jpeg }: WantedForm,
): ChosenBytes {
  const found = renditions.find(({ rendition }) => (jpeg ? rendition === 'jpeg' : small && rendition === 'small'));
  if (found === undefined) return { key: name, size, contentType, etag };
  return { key: pictureKey(name, found.rendition), size: found.size, contentType: found.contentType, etag: found.etag };
}

/**
 * Whether the client must get JPEG. Old Safari asks for `image/*` and has no WebP, so a wildcard does not count beside
 * named image types. A client that names no image type gets WebP.
 */
export function needsJpeg(accept = ''): boolean {
  const negotiator = new Negotiator({ headers: { accept: accept.toLowerCase() } });
  if (/image\/webp/i.test(accept)) return negotiator.mediaType(['image/webp', 'image/jpeg']) !== 'image/webp';
  return negotiator.mediaTypes().some((type) => type.startsWith('image/'));
}
