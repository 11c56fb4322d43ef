import { createHash } from 'node:crypto';
import { readSubmission, senderKey, withMinimumRate, type Identity, type Submission } from '@najwa/common';
import type { SenderTrace } from '@najwa/proto/events';
import { ImageKind, VoiceType } from '@najwa/proto/media';
import type { VoiceCall } from '../clients/media.js';
import type { MessagesContext } from '../context.js';
import type { EarlierMessage, MessageRecord, NewMessage } from '../db/message-record.js';
import { admitToInbox } from './admission.js';
import { messageCreated } from './events.js';
import { replay, storageKeyOf } from './retries.js';

/** The sender, the trace for tracking and the proof of work, if any. */
export interface Origin {
  sender: Identity;
  trace: SenderTrace;
  /** Value of the proof-of-work header. */
  proof: string | undefined;
}

export interface OutgoingMessage {
  userId: number;
  content: string;
  image: Buffer | null;
  submission: Submission;
}

/**
 * Accepts a message, once per submission.
 * @throws {AppError} the errors of `admitToInbox`, `unsupported_image`, `image_too_large`, `idempotency_conflict`
 */
export async function sendMessage(
  context: MessagesContext,
  origin: Origin,
  { userId, content, image, submission }: OutgoingMessage,
): Promise<MessageRecord> {
  await admitToInbox(context, origin, userId);
  const { sender, trace } = origin;
  const senderUserId = sender.user?.id ?? null;
  const stored =
    image &&
    (await context.media.storeImage({
      content: image,
      storageKey: storageKeyOf(submission),
      readerIds: senderUserId === null ? [userId] : [userId, senderUserId],
      kind: ImageKind.IMAGE_KIND_MESSAGE,
      senderKey: senderKey(sender),
    }));
  return save(
    context,
    { userId, senderUserId, content, imageName: stored?.name ?? null, audio: null, submission },
    trace,
  );
}

export interface VoiceForm {
  userId: number;
  voiceType: 'male' | 'female';
}

export interface OutgoingVoice {
  idempotencyKey: string | undefined;
  /** The message that an earlier try of this submission created. */
  earlier: EarlierMessage | null;
  /** Reads the form and passes the recording on as it arrives, before or after the other fields. */
  readForm: (receive: (chunks: AsyncIterable<Buffer>) => Promise<void>) => Promise<VoiceForm>;
}

const VOICE_TYPES = { male: VoiceType.VOICE_TYPE_MALE, female: VoiceType.VOICE_TYPE_FEMALE };

/**
 * Accepts a voice message, once per submission. The recording is streamed to media and not kept; only the altered voice
 * is. Only the recipient may hear it while it is private, not even its sender.
 * @throws {AppError} the errors of `admitToInbox`, `invalid_input`, `payload_too_large`, `request_timeout`,
 * `idempotency_conflict`
 */
export async function sendVoiceMessage(
  context: MessagesContext,
  origin: Origin,
  voice: OutgoingVoice,
): Promise<MessageRecord> {
  if (voice.earlier) {
    const { submission } = await readVoice(voice, origin.sender, () => Promise.resolve());
    return replay(voice.earlier, { submission, content: '' });
  }
  const call = await context.media.beginVoice(senderKey(origin.sender));
  try {
    return await forwardVoice(context, origin, voice, call);
  } catch (error) {
    call.cancel();
    throw error;
  }
}

async function forwardVoice(
  context: MessagesContext,
  origin: Origin,
  voice: OutgoingVoice,
  call: VoiceCall,
): Promise<MessageRecord> {
  const { sender, trace } = origin;
  const { userId, voiceType, submission } = await readVoice(voice, sender, (chunk) => call.send(chunk));
  await admitToInbox(context, origin, userId);
  const { name, contentType, duration, peaks } = await call.finish({
    voiceType: VOICE_TYPES[voiceType],
    storageKey: storageKeyOf(submission),
    readerIds: [userId],
    maker: sender.user ? { $case: 'userId', value: sender.user.id } : { $case: 'visitorId', value: sender.visitorId },
  });
  const audio = { name, contentType, duration, peaks };
  return save(
    context,
    { userId, senderUserId: sender.user?.id ?? null, content: '', imageName: null, audio, submission },
    trace,
  );
}

/** Reads the whole form. Multipart boundaries differ between tries, so the submission is a hash of the parts. */
async function readVoice(
  { readForm, idempotencyKey }: OutgoingVoice,
  sender: Identity,
  send: (chunk: Buffer) => Promise<void>,
): Promise<VoiceForm & { submission: Submission }> {
  const hash = createHash('sha256');
  const { userId, voiceType } = await readForm(async (chunks) => {
    for await (const chunk of withMinimumRate(chunks)) {
      hash.update(chunk);
      await send(chunk);
    }
  });
  const parts = ['voice', String(userId), voiceType, hash.digest('base64url')];
  return { userId, voiceType, submission: readSubmission(idempotencyKey, sender, parts) };
}

/**
 * Saves a message with its event, or finds the one that the same submission created.
 * @throws {AppError} `idempotency_conflict`
 */
async function save(
  { messages, outbox }: MessagesContext,
  newMessage: NewMessage,
  trace: SenderTrace,
): Promise<MessageRecord> {
  const { message, isNew } = await messages.insert(newMessage, (created) => [messageCreated(created, trace)]);
  if (!isNew) return replay(message, newMessage);
  outbox.notify();
  return message;
}
