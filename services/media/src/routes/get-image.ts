import { pipeline } from 'node:stream/promises';
import { AppError, identityOf } from '@najwa/common';
import type { RequestHandler } from 'express';
import type { MediaContext } from '../context.js';
import type { PictureKind } from '../db/pictures.js';
import { isMediaName } from '../domain/media-names.js';
import { mayRead } from '../domain/pictures.js';
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

/** GET and HEAD /api/image/{name} */
export function getImageRoute({ pictures, blobs, logger }: MediaContext): RequestHandler<{ name: string }> {
  return async (request, response) => {
    const { name } = request.params;
    const picture = isMediaName(name) ? await pictures.findStored(name) : null;
    if (picture === null || !mayRead(picture, identityOf(response))) throw notFound();

    response.set({ 'Cache-Control': CACHE_CONTROL[picture.kind], ETag: picture.etag });
    if (isKnown(request.get('if-none-match'), picture.etag)) {
      response.status(304).end();
      return;
    }
    const body = request.method === 'HEAD' ? undefined : await blobs.open(name);
    // It was removed while it was being asked for.
    if (body === null) throw notFound();
    response.set({
      'Content-Type': picture.contentType,
      'Content-Length': String(picture.size),
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
