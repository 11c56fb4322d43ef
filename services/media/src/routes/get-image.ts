import { pipeline } from 'node:stream/promises';
import { AppError, identityOf, validate } from '@najwa/common';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { MediaContext } from '../context.js';
import type { PictureKind } from '../db/pictures.js';
import { isMediaName } from '../domain/media-names.js';
import { mayRead } from '../domain/pictures.js';
import { chooseForm, needsJpeg } from '../domain/renditions.js';
import { isKnown } from './conditions.js';
import { INERT_HEADERS } from './inert-headers.js';

/**
 * A message's publishing can be taken back within a second: whoever keeps a copy must ask before showing it again.
 * A new avatar has a new name.
 */
const CACHE_CONTROL: Record<PictureKind, string> = {
  message: 'private, no-cache',
  chat: 'private, no-cache',
  avatar: 'public, max-age=31536000, immutable',
};

const query = z.object({ size: z.literal('small', { error: 'not_a_choice' }).optional() });

/** GET and HEAD /api/image/{name} */
export function getImageRoute({ pictures, blobs, logger }: MediaContext): RequestHandler<{ name: string }> {
  return async (request, response) => {
    const { name } = request.params;
    const { size } = validate(query, request.query);
    const picture = isMediaName(name) ? await pictures.findStored(name) : null;
    if (picture === null || !mayRead(picture, identityOf(response))) throw notFound();

    const form = chooseForm(picture, { small: size === 'small', jpeg: needsJpeg(request.get('accept')) });
    response.set({ 'Cache-Control': CACHE_CONTROL[picture.kind], ETag: form.etag, Vary: 'Accept' });
    if (isKnown(request.get('if-none-match'), form.etag)) {
      response.status(304).end();
      return;
    }
    const body = request.method === 'HEAD' ? undefined : await blobs.open(form.key);
    // It was removed while it was being asked for.
    if (body === null) throw notFound();
    response.set({
      'Content-Type': form.contentType,
      'Content-Length': String(form.size),
      ...INERT_HEADERS,
    });
    if (body === undefined) {
      response.end();
      return;
    }
    // Nothing can be said to the client any more, and often it is the client who left.
    await pipeline(body, response).catch((error: unknown) => logger.debug({ err: error }, 'picture not sent whole'));
  };
}

/** In the same words whether the picture is missing, malformed or another's. */
const notFound = (): AppError => new AppError({ code: 'media_not_found', message: 'There is no such picture.' });
