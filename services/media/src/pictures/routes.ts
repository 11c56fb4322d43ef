import { AppError } from '@najwa/common/errors';
import { INERT_HEADERS, matchesEntityTag, type Call } from '@najwa/common/http';
import { isMediaName } from '../files/media-names.js';
import { sendBody } from '../files/send-body.js';
import type { PictureKind } from './picture-store.js';
import { mayRead, type PicturesDeps } from './pictures.js';
import { chooseForm, needsJpeg } from './renditions.js';

/** A message can become private again within a second, so caches must revalidate. New avatars get new names. */
const CACHE_CONTROL: Record<PictureKind, string> = {
  message: 'private, no-cache',
  chat: 'private, no-cache',
  avatar: 'public, max-age=31536000, immutable',
};

export async function sendImage(
  deps: PicturesDeps,
  { identity, params: { filename }, query: { size }, request, response }: Call<'getImage'>,
): Promise<void> {
  const { pictures, blobs, logger } = deps;
  const picture = isMediaName(filename) ? await pictures.findStored(filename) : null;
  if (picture === null || !(await mayRead(deps, picture, identity))) throw notFound();

  const form = chooseForm(picture, { small: size === 'small', jpeg: needsJpeg(request.get('accept')) });
  response.set({ 'Cache-Control': CACHE_CONTROL[picture.kind], ETag: form.etag, Vary: 'Accept' });
  if (matchesEntityTag(request.get('if-none-match'), form.etag)) {
    response.status(304).end();
    return;
  }
  const body = request.method === 'HEAD' ? undefined : await blobs.open(form.key);
  // Removed after the lookup.
  if (body === null) throw notFound();
  response.set({
    'Content-Type': form.contentType,
    'Content-Length': String(form.size),
    ...INERT_HEADERS,
  });
  await sendBody(body, response, logger);
}

/** Same error for missing, malformed and forbidden names. */
const notFound = (): AppError => new AppError({ code: 'media_not_found', message: 'There is no such picture.' });
