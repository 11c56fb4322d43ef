import { AppError, withMedia } from '@najwa/common/errors';
import { createGrpcClient, unary, type ServiceCaller } from '@najwa/common/grpc';
import { ImageKind, MediaServiceClient, type GetImageResponse } from '@najwa/proto/media';

export interface ChatPicture {
  content: Buffer;
  storageKey: string;
  readerIds: number[];
  /** Quota keys of the sender. */
  senderKey: string;
  senderSite: string;
}

export interface MediaClient {
  /**
   * @returns the picture's name
   * @throws {AppError} `unsupported_image`, `image_too_large`, `media_unavailable`
   */
  storePicture(picture: ChatPicture): Promise<string>;
  readPicture(name: string): Promise<GetImageResponse | null>;
  removePicture(name: string): Promise<void>;
  close(): void;
}

/** Re-encoding the largest picture takes seconds on a busy machine. */
const STORE_DEADLINE_MS = 20_000;

export function createMediaClient(address: string, caller: ServiceCaller): MediaClient {
  const client = createGrpcClient(MediaServiceClient, address, caller);
  const storeImage = unary(client.storeImage.bind(client), STORE_DEADLINE_MS);
  const getImage = unary(client.getImage.bind(client));
  const removeImage = unary(client.removeImage.bind(client));
  return {
    async storePicture(picture) {
      const { name } = await withMedia(storeImage({ ...picture, kind: ImageKind.IMAGE_KIND_CHAT }));
      return name;
    },
    async readPicture(name) {
      try {
        return await getImage({ name });
      } catch (error) {
        if (error instanceof AppError && error.code === 'media_not_found') return null;
        throw error;
      }
    },
    async removePicture(name) {
      await removeImage({ name });
    },
    close: () => client.close(),
  };
}
