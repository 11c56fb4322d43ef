import { withMedia } from '@najwa/common/errors';
import { clientStream, createGrpcClient, unary, type ServiceCaller } from '@najwa/common/grpc';
import type { Logger } from '@najwa/common/logging';
import {
  MediaServiceClient,
  type FollowMessageRequest,
  type MorphVoiceOrder,
  type MorphVoiceRequest,
  type MorphVoiceResponse,
  type StoreImageRequest,
  type StoreImageResponse,
} from '@najwa/proto/media';

/** The caller must finish or cancel it. */
export type VoiceCall = Awaited<ReturnType<MediaClient['beginVoice']>>;

/** Re-encoding the largest picture takes seconds on a busy machine. */
const STORE_IMAGE_DEADLINE_MS = 20_000;

/** Queueing and processing. */
const MORPH_VOICE_ANSWER_MS = 120_000;

/** Short: the request waits, and the event follows anyway. */
const FOLLOW_MESSAGE_DEADLINE_MS = 2_000;

const ARCHIVE_DEADLINE_MS = 20_000;

export class MediaClient {
  /** @throws {AppError} `media_not_found` */
  readonly getImage;
  readonly getSound;
  readonly storeArchivePart;
  /** @throws {AppError} `media_not_found` */
  readonly getArchivePart;
  readonly removeArchive;
  readonly #logger;
  readonly #client;
  readonly #streams;
  readonly #morphVoice;
  readonly #followMessage;
  readonly #storeImage;

  constructor(address: string, caller: ServiceCaller, logger: Logger) {
    this.#logger = logger;
    this.#client = createGrpcClient(MediaServiceClient, address, caller);
    this.#streams = createGrpcClient(MediaServiceClient, address, caller, { isForStreams: true });
    this.#morphVoice = clientStream<MorphVoiceRequest, MorphVoiceResponse>(
      this.#streams.morphVoice.bind(this.#streams),
      MORPH_VOICE_ANSWER_MS,
    );
    this.#followMessage = unary(this.#client.followMessage.bind(this.#client), FOLLOW_MESSAGE_DEADLINE_MS);
    this.#storeImage = unary(this.#client.storeImage.bind(this.#client), STORE_IMAGE_DEADLINE_MS);
    this.getImage = unary(this.#client.getImage.bind(this.#client));
    this.getSound = unary(this.#client.getSound.bind(this.#client));
    this.storeArchivePart = unary(this.#client.storeArchivePart.bind(this.#client), ARCHIVE_DEADLINE_MS);
    this.getArchivePart = unary(this.#client.getArchivePart.bind(this.#client), ARCHIVE_DEADLINE_MS);
    this.removeArchive = unary(this.#client.removeArchive.bind(this.#client), ARCHIVE_DEADLINE_MS);
  }

  /** @throws {AppError} `unsupported_image`, `image_too_large`, `media_unavailable` */
  storeImage(request: StoreImageRequest): Promise<StoreImageResponse> {
    return withMedia(this.#storeImage(request));
  }
  async beginVoice({ senderKey, senderSite }: { senderKey: string; senderSite: string }) {
    const stream = this.#morphVoice();
    await withMedia(stream.write({ part: { $case: 'senderKey', value: senderKey }, senderSite }));
    return {
      /** Resolves when the stream accepts more. @throws {AppError} like `finish` */
      send: (piece: Buffer) => withMedia(stream.write({ part: { $case: 'recording', value: piece } })),
      /** @throws {AppError} `invalid_input`, `payload_too_large`, `media_unavailable` */
      async finish(order: MorphVoiceOrder): Promise<MorphVoiceResponse> {
        await withMedia(stream.write({ part: { $case: 'order', value: order } }));
        return withMedia(stream.finish());
      },
      cancel: () => stream.cancel(),
    };
  }
  /** Applies permissions ahead of the event. Never fails: the event follows. */
  async followMessage(change: FollowMessageRequest['change']): Promise<void> {
    try {
      await this.#followMessage({ change });
    } catch (error) {
      this.#logger.warn({ err: error }, 'media was not reached; it learns of the change from the event');
    }
  }
  close(): void {
    this.#client.close();
    this.#streams.close();
  }
}
