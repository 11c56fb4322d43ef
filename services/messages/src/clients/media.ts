import { clientStream, createGrpcClient, unary, type ServiceCaller } from '@najwa/common';
import {
  MediaServiceClient,
  type FollowMessageRequest,
  type FollowMessageResponse,
  type MorphVoiceOrder,
  type MorphVoiceRequest,
  type MorphVoiceResponse,
  type StoreImageRequest,
  type StoreImageResponse,
} from '@najwa/proto/media';

/** A recording on its way to be altered. Whoever begins one finishes or cancels it. */
export interface VoiceCall {
  /** Resolves when there is room for more. @throws {AppError} as `finish` */
  send(piece: Buffer): Promise<void>;
  /** @throws {AppError} `invalid_input`, `payload_too_large`, `unavailable` */
  finish(order: MorphVoiceOrder): Promise<MorphVoiceResponse>;
  /** Of no effect once it is answered. */
  cancel(): void;
}

export interface MediaClient {
  /** @throws {AppError} `unsupported_image`, `image_too_large` */
  storeImage(request: StoreImageRequest): Promise<StoreImageResponse>;
  /** @param senderKey by which recordings and alterations of one sender are counted */
  beginVoice(senderKey: string): Promise<VoiceCall>;
  /** Tells of a change of a message ahead of its event. */
  followMessage(request: FollowMessageRequest): Promise<FollowMessageResponse>;
  close(): void;
}

/** Decoding and encoding a picture of the largest size takes seconds on a busy machine. */
const STORE_IMAGE_DEADLINE_MS = 20_000;

/** As long as media takes a recording in, and as long as it may then wait and be altered. */
const MORPH_VOICE_DEADLINE_MS = 180_000;

/** Whoever changed a message waits for this, and its event follows in any case. */
const FOLLOW_MESSAGE_DEADLINE_MS = 2_000;

export function createMediaClient(address: string, caller: ServiceCaller): MediaClient {
  const client = createGrpcClient(MediaServiceClient, address, caller);
  const morphVoice = clientStream<MorphVoiceRequest, MorphVoiceResponse>(
    client.morphVoice.bind(client),
    MORPH_VOICE_DEADLINE_MS,
  );
  return {
    storeImage: unary(client.storeImage.bind(client), STORE_IMAGE_DEADLINE_MS),
    async beginVoice(senderKey) {
      const stream = morphVoice();
      await stream.write({ part: { $case: 'senderKey', value: senderKey } });
      return {
        send: (piece) => stream.write({ part: { $case: 'recording', value: piece } }),
        async finish(order) {
          await stream.write({ part: { $case: 'order', value: order } });
          return stream.finish();
        },
        cancel: () => stream.cancel(),
      };
    },
    followMessage: unary(client.followMessage.bind(client), FOLLOW_MESSAGE_DEADLINE_MS),
    close: () => client.close(),
  };
}
