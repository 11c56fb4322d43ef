import Negotiator from 'negotiator';
import type { KeptBytes } from '../store/lifecycle.js';
import { pictureKey, type PictureRecord } from './picture-store.js';

export interface WantedForm {
  small: boolean;
  jpeg: boolean;
}

export interface ChosenBytes extends KeptBytes {
  key: string;
}

/** Closest form. Small pictures and JPEGs have no smaller one. */
export function chooseForm(
  { name, renditions, size, contentType, etag }: PictureRecord,
  { small, jpeg }: WantedForm,
): ChosenBytes {
  const found = renditions.find(({ rendition }) => (jpeg ? rendition === 'jpeg' : small && rendition === 'small'));
  if (found === undefined) return { key: name, size, contentType, etag };
  return { key: pictureKey(name, found.rendition), size: found.size, contentType: found.contentType, etag: found.etag };
}

/**
 * Old Safari sends `image/*` without supporting WebP, so a wildcard does not count among named image types. Without any
 * image type, WebP is served.
 */
export function needsJpeg(accept = ''): boolean {
  const negotiator = new Negotiator({ headers: { accept: accept.toLowerCase() } });
  if (/image\/webp/i.test(accept)) return negotiator.mediaType(['image/webp', 'image/jpeg']) !== 'image/webp';
  return negotiator.mediaTypes().some((type) => type.startsWith('image/'));
}
