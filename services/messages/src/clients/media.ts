import { withMedia } from '@najwa/common/errors';
import { clientStream, createGrpcClient, unary, type ServiceCaller } from '@najwa/common/grpc';
import type { Logger } from '@najwa/common/logging';
import {
  MediaServiceClient,
  type FollowMessageRequest,
  type GetArchivePartRequest,
  type GetArchivePartResponse,
  type GetImageResponse,
  type GetSoundResponse,
  type MorphVoiceOrder,
  type MorphVoiceRequest,
  type MorphVoiceResponse,
  type RemoveArchiveRequest,
  type RemoveArchiveResponse,
  type StoreArchivePartRequest,
  type StoreArchivePartResponse,
  type StoreImageRequest,
  type StoreImageResponse,
} from '@najwa/proto/media';

/** The caller must finish or cancel it. */
export interface VoiceCall {
  /** Resolves when the stream accepts more. @throws {AppError} like `finish` */
  send(piece: Buffer): Promise<void>;
  /** @throws {AppError} `invalid_input`, `payload_too_large`, `media_unavailable` */
  finish(order: MorphVoiceOrder): Promise<MorphVoiceResponse>;
  cancel(): void;
}

export interface MediaClient {
  /** @throws {AppError} `unsupported_image`, `image_too_large`, `media_unavailable` */
  storeImage(request: StoreImageRequest): Promise<StoreImageResponse>;
  beginVoice(sender: { senderKey: string; senderSite: string }): Promise<VoiceCall>;
  /** Applies permissions ahead of the event. Never fails: the event follows. */
  followMessage(change: FollowMessageRequest['change']): Promise<void>;
  /** @throws {AppError} `media_not_found` */
  getImage(request: { name: string }): Promise<GetImageResponse>;
  getSound(request: { name: string }): Promise<GetSoundResponse>;
  storeArchivePart(request: StoreArchivePartRequest): Promise<StoreArchivePartResponse>;
  /** @throws {AppError} `media_not_found` */
  getArchivePart(request: GetArchivePartRequest): Promise<GetArchivePartResponse>;
  removeArchive(request: RemoveArchiveRequest): Promise<RemoveArchiveResponse>;
  close(): void;
}

/** Re-encoding the largest picture takes seconds on a busy machine. */
const STORE_IMAGE_DEADLINE_MS = 20_000;

/** Queueing and processing. */
const MORPH_VOICE_ANSWER_MS = 120_000;

/** Short: the request waits, and the event follows anyway. */
const FOLLOW_MESSAGE_DEADLINE_MS = 2_000;

const ARCHIVE_DEADLINE_MS = 20_000;

export function createMediaClient(address: string, caller: ServiceCaller, logger: Logger): MediaClient {
  const client = createGrpcClient(MediaServiceClient, address, caller);
  const streams = createGrpcClient(MediaServiceClient, address, caller, { isForStreams: true });
  const morphVoice = clientStream<MorphVoiceRequest, MorphVoiceResponse>(
    streams.morphVoice.bind(streams),
    MORPH_VOICE_ANSWER_MS,
  );
  const followMessage = unary(client.followMessage.bind(client), FOLLOW_MESSAGE_DEADLINE_MS);
  const storeImage = unary(client.storeImage.bind(client), STORE_IMAGE_DEADLINE_MS);
  return {
    storeImage: (request) => withMedia(storeImage(request)),
    async beginVoice({ senderKey, senderSite }) {
      const stream = morphVoice();
      await withMedia(stream.write({ part: { $case: 'senderKey', value: senderKey }, senderSite }));
      return {
        send: (piece) => withMedia(stream.write({ part: { $case: 'recording', value: piece } })),
        async finish(order) {
          await withMedia(stream.write({ part: { $case: 'order', value: order } }));
          return withMedia(stream.finish());
        },
        cancel: () => stream.cancel(),
      };
    },
    async followMessage(change) {
      try {
        await followMessage({ change });
      } catch (error) {
        logger.warn({ err: error }, 'media was not reached; it learns of the change from the event');
      }
    },
    getImage: unary(client.getImage.bind(client)),
    getSound: unary(client.getSound.bind(client)),
    storeArchivePart: unary(client.storeArchivePart.bind(client), ARCHIVE_DEADLINE_MS),
    getArchivePart: unary(client.getArchivePart.bind(client), ARCHIVE_DEADLINE_MS),
    removeArchive: unary(client.removeArchive.bind(client), ARCHIVE_DEADLINE_MS),
    close() {
      client.close();
      streams.close();
    },
  };
}
