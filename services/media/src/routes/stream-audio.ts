import { AppError } from '@najwa/common/errors';
import { beginRangedAnswer, matchesEntityTag, readByteRange, type Call } from '@najwa/common/http';
import type { MediaContext } from '../context.js';
import { isMediaName } from '../domain/media-names.js';
import { mayHear } from '../domain/sounds.js';
import { sendBody } from './send-body.js';

export async function sendSound(
  context: MediaContext,
  { identity, params: { id: name }, request, response }: Call<'streamAudio'>,
): Promise<void> {
  const { sounds, blobs, logger } = context;
  const sound = isMediaName(name) ? await sounds.findStored(name) : null;
  if (sound === null || !(await mayHear(context, sound, identity, new Date()))) throw notFound();

  // A message can become private again within a second, so caches must revalidate.
  response.set({ 'Cache-Control': 'private, no-cache', 'Accept-Ranges': 'bytes', ETag: sound.etag });
  if (matchesEntityTag(request.get('if-none-match'), sound.etag)) {
    response.status(304).end();
    return;
  }
  const range = readByteRange(request, response, sound);
  const body = request.method === 'HEAD' ? undefined : await blobs.open(name, range);
  // Removed after the lookup.
  if (body === null) throw notFound();
  beginRangedAnswer(response, sound, range);
  await sendBody(body, response, logger);
}

/** Same error for missing, malformed and forbidden names. */
const notFound = (): AppError => new AppError({ code: 'media_not_found', message: 'There is no such sound.' });
