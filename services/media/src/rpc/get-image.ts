import { buffer } from 'node:stream/consumers';
import { AppError, type UnaryHandlers } from '@najwa/common';
import type { MediaServiceService } from '@najwa/proto/media';
import type { MediaContext } from '../context.js';

export function getImageMethod({ pictures, blobs }: MediaContext): UnaryHandlers<MediaServiceService>['getImage'] {
  return async ({ name }) => {
    const picture = await pictures.findStored(name);
    const body = picture && (await blobs.open(name));
    if (!picture || !body) throw new AppError({ code: 'media_not_found', message: 'There is no such picture.' });
    return { content: await buffer(body), contentType: picture.contentType };
  };
}
