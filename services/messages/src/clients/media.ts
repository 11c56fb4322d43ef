import { channelCredentials, channelOptions, unary } from '@najwa/common';
import { MediaServiceClient, type StoreImageRequest, type StoreImageResponse } from '@najwa/proto/media';

export interface MediaClient {
  /** @throws {AppError} `unsupported_image`, `image_too_large` */
  storeImage(request: StoreImageRequest): Promise<StoreImageResponse>;
  close(): void;
}

/** Decoding and encoding a picture of the largest size takes seconds on a busy machine. */
const STORE_IMAGE_DEADLINE_MS = 20_000;

export function createMediaClient(address: string): MediaClient {
  const client = new MediaServiceClient(address, channelCredentials, channelOptions);
  return {
    storeImage: unary(client.storeImage.bind(client), STORE_IMAGE_DEADLINE_MS),
    close: () => client.close(),
  };
}
