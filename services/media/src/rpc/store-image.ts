import { validate, type UnaryHandlers } from '@najwa/common';
import { ImageKind, type MediaServiceService } from '@najwa/proto/media';
import { z } from 'zod';
import type { MediaContext } from '../context.js';
import { storePicture } from '../domain/pictures.js';
import { readerIds, storageKey } from './fields.js';

const KINDS = {
  [ImageKind.IMAGE_KIND_MESSAGE]: 'message',
  [ImageKind.IMAGE_KIND_AVATAR]: 'avatar',
  [ImageKind.IMAGE_KIND_CHAT]: 'chat',
} as const;

const request = z.object({
  content: z.instanceof(Buffer),
  storageKey,
  readerIds,
  kind: z
    .literal([ImageKind.IMAGE_KIND_MESSAGE, ImageKind.IMAGE_KIND_AVATAR, ImageKind.IMAGE_KIND_CHAT], {
      error: 'not_a_kind',
    })
    .transform((kind) => KINDS[kind]),
});

export function storeImageMethod(context: MediaContext): UnaryHandlers<MediaServiceService>['storeImage'] {
  return async (raw) => {
    const { name, width, height } = await storePicture(context, validate(request, raw));
    return { name, width, height };
  };
}
