import { buffer } from 'node:stream/consumers';
import { AppError, validate } from '@najwa/common/errors';
import type { UnaryHandlers } from '@najwa/common/grpc';
import { ImageKind, type MediaServiceService } from '@najwa/proto/media';
import { z } from 'zod';
import { readerIds, senderKey, senderSite, storageKey } from '../files/fields.js';
import { FINAL_REVISION, removeKept } from '../files/removal.js';
import { storePicture, type PicturesDeps } from './pictures.js';

type Methods = Pick<UnaryHandlers<MediaServiceService>, 'storeImage' | 'getImage' | 'removeImage'>;

const KINDS = {
  [ImageKind.IMAGE_KIND_MESSAGE]: 'message',
  [ImageKind.IMAGE_KIND_AVATAR]: 'avatar',
  [ImageKind.IMAGE_KIND_CHAT]: 'chat',
} as const;

const newImage = z.object({
  content: z.instanceof(Buffer),
  storageKey,
  readerIds,
  kind: z
    .literal([ImageKind.IMAGE_KIND_MESSAGE, ImageKind.IMAGE_KIND_AVATAR, ImageKind.IMAGE_KIND_CHAT], {
      error: 'not_a_kind',
    })
    .transform((kind) => KINDS[kind]),
  senderKey,
  senderSite,
});

export function imageMethods(deps: PicturesDeps): Methods {
  const { pictures, blobs } = deps;
  return {
    async storeImage(request) {
      const { name, width, height } = await storePicture(deps, validate(newImage, request));
      return { name, width, height };
    },
    async getImage({ name }) {
      const picture = await pictures.findForService(name);
      const body = picture && (await blobs.open(name));
      if (!picture || !body) throw new AppError({ code: 'media_not_found', message: 'There is no such picture.' });
      return { content: await buffer(body), contentType: picture.contentType };
    },
    async removeImage({ name }) {
      await removeKept(blobs, pictures, name, FINAL_REVISION);
      return {};
    },
  };
}
