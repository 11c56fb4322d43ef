import type { Identity } from '@najwa/common';
import type { MediaContext } from '../context.js';
import { pictureKey, type PictureKind, type PictureRecord } from '../db/pictures.js';
import { describeBytes, requireKept } from './kept-bytes.js';
import { createMediaName } from './media-names.js';
import { removeKept } from './removal.js';

export interface NewPicture {
  content: Buffer;
  storageKey: string;
  readerIds: number[];
  kind: PictureKind;
}

/**
 * Keeps a picture, private at first. The same key keeps it once and answers the same picture again, also while its first
 * call is under way, and also after a process died in the middle of it.
 * @throws {AppError} `unsupported_image`, `image_too_large`; nothing is kept then
 */
export function storePicture(context: MediaContext, picture: NewPicture): Promise<PictureRecord> {
  return context.storing(picture.storageKey, () => store(context, picture));
}

async function store(
  { pictures, blobs, transcoder }: MediaContext,
  { content, storageKey, readerIds, kind }: NewPicture,
): Promise<PictureRecord> {
  const earlier = await pictures.renew(storageKey, new Date());
  if (earlier && earlier.status !== 'storing') return requireKept(earlier);

  const { bytes, contentType, width, height, renditions } = await transcoder.transcode(
    content,
    kind === 'avatar' ? 'square' : 'whole',
  );
  const reserved = await pictures.reserve({ name: createMediaName(), storageKey, kind, readerIds }, new Date());
  if (reserved.status !== 'storing') return requireKept(reserved);
  await Promise.all([
    blobs.put(reserved.name, bytes, contentType),
    ...renditions.map((made) => blobs.put(pictureKey(reserved.name, made.rendition), made.bytes, made.contentType)),
  ]);
  const described = renditions.map((made) => ({
    rendition: made.rendition,
    ...describeBytes(made.bytes, made.contentType),
  }));
  return requireKept(
    await pictures.complete(reserved.name, {
      width,
      height,
      renditions: described,
      ...describeBytes(bytes, contentType),
    }),
  );
}

/** A message's private picture is its readers' alone: being an administrator opens none. */
export function mayRead({ kind, isPublic, readerIds }: PictureRecord, { user }: Identity): boolean {
  if (isPublic) return true;
  return user !== null && (readerIds.includes(user.id) || (kind === 'chat' && user.isAdmin));
}

/** Removes a picture for good: what arrives later about it changes nothing. Safe to repeat after any failure. */
export async function removePicture({ pictures, blobs }: MediaContext, name: string, revision: number): Promise<void> {
  await removeKept(blobs, pictures, name, revision);
}
