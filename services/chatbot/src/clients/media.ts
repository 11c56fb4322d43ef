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

/** Re-encoding the largest picture takes seconds on a busy machine. */
const STORE_DEADLINE_MS = 20_000;

export class MediaClient {
  readonly #client;

  constructor(address: string, caller: ServiceCaller) {
    this.#client = createGrpcClient(MediaServiceClient, address, caller);
  }

  /**
   * @returns the picture's name
   * @throws {AppError} `unsupported_image`, `image_too_large`, `media_unavailable`
   */
  async storePicture(picture: ChatPicture): Promise<string> {
    const storeImage = unary(this.#client.storeImage.bind(this.#client), STORE_DEADLINE_MS);
    const { name } = await withMedia(storeImage({ ...picture, kind: ImageKind.IMAGE_KIND_CHAT }));
    return name;
  }
  async readPicture(name: string): Promise<GetImageResponse | null> {
    try {
      return await unary(this.#client.getImage.bind(this.#client))({ name });
    } catch (error) {
      if (error instanceof AppError && error.code === 'media_not_found') return null;
      throw error;
    }
  }
  async removePicture(name: string): Promise<void> {
    await unary(this.#client.removeImage.bind(this.#client))({ name });
  }
  close(): void {
    this.#client.close();
  }
}
