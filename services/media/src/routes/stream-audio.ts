import { AppError, matchesEntityTag, type Call } from '@najwa/common';
import type { MediaContext } from '../context.js';
import type { SoundRecord } from '../db/sounds.js';
import { parseByteRange, type ByteRange } from '../domain/byte-range.js';
import { isMediaName } from '../domain/media-names.js';
import { mayHear } from '../domain/sounds.js';
import { INERT_HEADERS, sendBody } from './send-body.js';

export async function sendSound(
  { sounds, blobs, logger }: MediaContext,
  { identity, params: { id: name }, request, response }: Call<'streamAudio'>,
): Promise<void> {
  const sound = isMediaName(name) ? await sounds.findStored(name) : null;
  if (sound === null || !mayHear(sound, identity, new Date())) throw notFound();

  // A message can be made private again within a second, so a cached copy must be revalidated.
  response.set({ 'Cache-Control': 'private, no-cache', 'Accept-Ranges': 'bytes', ETag: sound.etag });
  if (matchesEntityTag(request.get('if-none-match'), sound.etag)) {
    response.status(304).end();
    return;
  }
  const range = readRange(request, sound);
  if (range === 'unsatisfiable') {
    response.set('Content-Range', `bytes */${sound.size}`);
    throw new AppError({ code: 'range_not_satisfiable', message: 'The sound is shorter than that.' });
  }
  const body = request.method === 'HEAD' ? undefined : await blobs.open(name, range);
  // Removed after the lookup.
  if (body === null) throw notFound();
  response.set({
    'Content-Type': sound.contentType,
    'Content-Length': String(range ? range.end - range.start + 1 : sound.size),
    ...INERT_HEADERS,
  });
  if (range) response.status(206).set('Content-Range', `bytes ${range.start}-${range.end}/${sound.size}`);
  await sendBody(body, response, logger);
}

/**
 * The requested range. Ignored for a client that has a part of another sound (If-Range), and for HEAD (RFC 9110, 14.2).
 */
function readRange(
  request: Call<'streamAudio'>['request'],
  { size, etag }: SoundRecord,
): ByteRange | 'unsatisfiable' | undefined {
  const range = request.get('range');
  const ifRange = request.get('if-range');
  if (request.method !== 'GET' || range === undefined || (ifRange !== undefined && ifRange !== etag)) return undefined;
  return parseByteRange(range, size);
}

/** The same answer for a missing sound, a malformed name and a sound that the caller may not hear. */
const notFound = (): AppError => new AppError({ code: 'media_not_found', message: 'There is no such sound.' });
