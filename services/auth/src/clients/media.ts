import { withMedia } from '@najwa/common/errors';
import { createGrpcClient, unary, type ServiceCaller } from '@najwa/common/grpc';
import { ImageKind, MediaServiceClient } from '@najwa/proto/media';

export interface MediaClient {
  /**
   * @param storageKey the same for every try
   * @returns the picture's name
   * @throws {AppError} `unsupported_image`, `image_too_large`, `media_unavailable`
   */
  storeAvatar(content: Buffer, storageKey: string, sender: { senderKey: string; senderSite: string }): Promise<string>;
  close(): void;
}

/** Re-encoding the largest picture takes seconds on a busy machine. */
const STORE_IMAGE_DEADLINE_MS = 20_000;

export function createMediaClient(address: string, caller: ServiceCaller): MediaClient {
  const client = createGrpcClient(MediaServiceClient, address, caller);
  const storeImage = unary(client.storeImage.bind(client), STORE_IMAGE_DEADLINE_MS);
  return {
    async storeAvatar(content, storageKey, sender) {
      const { name } = await withMedia(
        storeImage({
          content,
          storageKey,
          readerIds: [],
          kind: ImageKind.IMAGE_KIND_AVATAR,
          ...sender,
        }),
      );
      return name;
    },
    close: () => client.close(),
  };
}
