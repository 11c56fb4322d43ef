import { withMedia } from '@najwa/common/errors';
import { createGrpcClient, unary, type ServiceCaller } from '@najwa/common/grpc';
import { ImageKind, MediaServiceClient } from '@najwa/proto/media';

/** Re-encoding the largest picture takes seconds on a busy machine. */
const STORE_IMAGE_DEADLINE_MS = 20_000;

export class MediaClient {
  readonly #client;
  readonly #storeImage;

  constructor(address: string, caller: ServiceCaller) {
    this.#client = createGrpcClient(MediaServiceClient, address, caller);
    this.#storeImage = unary(this.#client.storeImage.bind(this.#client), STORE_IMAGE_DEADLINE_MS);
  }

  /**
   * @param storageKey the same for every try
   * @returns the picture's name
   * @throws {AppError} `unsupported_image`, `image_too_large`, `media_unavailable`
   */
  async storeAvatar(
    content: Buffer,
    storageKey: string,
    sender: { senderKey: string; senderSite: string },
  ): Promise<string> {
    const { name } = await withMedia(
      this.#storeImage({ content, storageKey, readerIds: [], kind: ImageKind.IMAGE_KIND_AVATAR, ...sender }),
    );
    return name;
  }
  close(): void {
    this.#client.close();
  }
}
