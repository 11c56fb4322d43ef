import { pipeline } from 'node:stream/promises';
import { AppError, identityOf } from '@najwa/common';
import type { Request, RequestHandler } from 'express';
import type { MediaContext } from '../context.js';
import type { SoundRecord } from '../db/sounds.js';
import { parseByteRange, type ByteRange } from '../domain/byte-range.js';
import { isMediaName } from '../domain/media-names.js';
import { mayHear } from '../domain/sounds.js';
import { isKnown } from './conditions.js';
import { INERT_HEADERS } from './inert-headers.js';

/** GET and HEAD /api/audio/stream/{id} */
export function streamAudioRoute({ sounds, blobs, logger }: MediaContext): RequestHandler<{ name: string }> {
  return async (request, response) => {
    const { name } = request.params;
    const sound = isMediaName(name) ? await sounds.findStored(name) : null;
    if (sound === null || !mayHear(sound, identityOf(response), new Date())) throw notFound();

    // Publishing can be taken back within a second: whoever keeps a copy must ask before playing it again.
    response.set({ 'Cache-Control': 'private, no-cache', 'Accept-Ranges': 'bytes', ETag: sound.etag });
    if (isKnown(request.get('if-none-match'), sound.etag)) {
      response.status(304).end();
      return;
    }
    const range = readRange(request, sound);
    if (range === 'unsatisfiable') {
      response.set('Content-Range', `bytes */${sound.size}`);
      throw new AppError({ code: 'range_not_satisfiable', message: 'The sound is shorter than that.' });
    }
    const body = request.method === 'HEAD' ? undefined : await blobs.open(name, range);
    // It was removed while it was being asked for.
    if (body === null) throw notFound();
    response.set({
      'Content-Type': sound.contentType,
      'Content-Length': String(range ? range.end - range.start + 1 : sound.size),
      ...INERT_HEADERS,
    });
    if (range) response.status(206).set('Content-Range', `bytes ${range.start}-${range.end}/${sound.size}`);
    if (body === undefined) {
      response.end();
      return;
    }
    // Nothing can be said to the client any more, and often it is the client who left.
    await pipeline(body, response).catch((error: unknown) => logger.debug({ err: error }, 'sound not sent whole'));
  };
}

/** What is asked for of a sound, unless what the client has of it is another one. A range means something to GET alone (RFC 9110, section 14.2). */
function readRange(
  request: Request<{ name: string }>,
  { size, etag }: SoundRecord,
): ByteRange | 'unsatisfiable' | undefined {
  const range = request.get('range');
  const ifRange = request.get('if-range');
  if (request.method !== 'GET' || range === undefined || (ifRange !== undefined && ifRange !== etag)) return undefined;
  return parseByteRange(range, size);
}

/** In the same words whether the sound is missing, malformed or another's. */
const notFound = (): AppError => new AppError({ code: 'media_not_found', message: 'There is no such sound.' });
