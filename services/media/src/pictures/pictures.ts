import type { SingleFlight } from '@najwa/common';
import { isStaff, type Identity } from '@najwa/common/identity';
import { completeKept, describeBytes, requireKept, type KeptDeps } from '../files/kept-bytes.js';
import { createMediaName } from '../files/media-names.js';
import { pictureKey, type PictureKind, type PictureRecord, type PictureRepository } from './picture-store.js';
import type { Transcoder } from './transcoder.js';

export interface PicturesDeps extends KeptDeps {
  pictures: PictureRepository;
  transcoder: Transcoder;
  storing: SingleFlight<PictureRecord>;
}

export interface NewPicture {
  content: Buffer;
  storageKey: string;
  readerIds: number[];
  kind: PictureKind;
  /** Quota keys of the sender. */
  senderKey: string;
  senderSite?: string | undefined;
}

/**
 * Stores a picture, private at first. Idempotent per storage key, also concurrently and after a crash.
 * @throws {AppError} the errors of `Transcoder.transcode`; nothing is stored
 */
export function storePicture(deps: PicturesDeps, picture: NewPicture): Promise<PictureRecord> {
  return deps.storing(picture.storageKey, () => store(deps, picture));
}

async function store(
  { pictures, blobs, transcoder, readers }: PicturesDeps,
  { content, storageKey, readerIds, kind, senderKey, senderSite = senderKey }: NewPicture,
): Promise<PictureRecord> {
  const earlier = await pictures.renew(storageKey, new Date());
  if (earlier && earlier.status !== 'storing') return requireKept(earlier);

  const { bytes, contentType, width, height, renditions } = await transcoder.transcode(content, {
    kind,
    sender: senderKey,
    site: senderSite,
  });
  const name = createMediaName();
  const allowed = await readers.of(name, readerIds);
  const reserved = await pictures.reserve({ name, storageKey, kind, ...allowed }, new Date());
  if (reserved.status !== 'storing') return requireKept(reserved);
  await Promise.all([
    blobs.put(reserved.name, bytes, contentType),
    ...renditions.map((made) => blobs.put(pictureKey(reserved.name, made.rendition), made.bytes, made.contentType)),
  ]);
  const described = renditions.map((made) => ({
    rendition: made.rendition,
    ...describeBytes(made.bytes, made.contentType),
  }));
  return completeKept(blobs, pictures, reserved.name, {
    width,
    height,
    renditions: described,
    ...describeBytes(bytes, contentType),
  });
}

/** Readers see private pictures, moderators reported ones, administrators those of the chat. */
export async function mayRead({ readers }: PicturesDeps, picture: PictureRecord, { user }: Identity): Promise<boolean> {
  const { kind, isPublic, isReported } = picture;
  if (isPublic) return true;
  if (user === null) return false;
  if ((kind === 'chat' && user.isAdmin) || (isReported && isStaff(user))) return true;
  return readers.include(picture, user.id);
}
