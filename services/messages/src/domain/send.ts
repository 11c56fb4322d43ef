import { createHash } from 'node:crypto';
import { AppError, readSubmission, senderKey, type Identity, type Submission } from '@najwa/common';
import type { SenderTrace } from '@najwa/proto/events';
import { ImageKind, VoiceType } from '@najwa/proto/media';
import type { VoiceCall } from '../clients/media.js';
import type { MessagesContext } from '../context.js';
import type { MessageRecord, NewMessage } from '../db/message-record.js';
import { messageCreated } from './events.js';
import { replay, storageKeyOf } from './retries.js';

export interface OutgoingMessage {
  userId: number;
  content: string;
  image: Buffer | null;
  sender: Identity;
  trace: SenderTrace;
  submission: Submission;
}

/**
 * Accepts a message, once per submission.
 * @throws {AppError} `user_not_found`, `too_many_requests`, `unsupported_image`, `image_too_large`, `idempotency_conflict`
 */
export async function sendMessage(
  context: MessagesContext,
  { userId, content, image, sender, trace, submission }: OutgoingMessage,
): Promise<MessageRecord> {
  const { media, messages } = context;
  const earlier = await messages.findBySubmission(submission.key);
  if (earlier) return replay(earlier, { submission, content });

  await admit(context, sender, userId);
  const senderUserId = sender.user?.id ?? null;
  const stored =
    image &&
    (await media.storeImage({
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
  sender: Identity;
  trace: SenderTrace;
  idempotencyKey: string | undefined;
  /** Reads the form and passes the recording on as it arrives, before or after the other fields. */
  readForm: (receive: (chunks: AsyncIterable<Buffer>) => Promise<void>) => Promise<VoiceForm>;
}

const VOICE_TYPES = { male: VoiceType.VOICE_TYPE_MALE, female: VoiceType.VOICE_TYPE_FEMALE };

/**
 * Accepts a voice message, once per submission. The recording is streamed to media and not kept; only the altered voice is.
 * Only the recipient may hear it while it is private, not even its sender.
 * @throws {AppError} `user_not_found`, `too_many_requests`, `invalid_input`, `payload_too_large`, `idempotency_conflict`
 */
export async function sendVoiceMessage(context: MessagesContext, voice: OutgoingVoice): Promise<MessageRecord> {
  const { sender, idempotencyKey } = voice;
  const earlier =
    idempotencyKey === undefined
      ? null
      : await context.messages.findBySubmission(readSubmission(idempotencyKey, sender, []).key);
  if (earlier) {
    const { submission } = await readVoice(voice, () => Promise.resolve());
    return replay(earlier, { submission, content: '' });
  }

  await context.limits.voice.consume(senderKey(sender));
  const call = await context.media.beginVoice(senderKey(sender));
  try {
    return await forwardVoice(context, voice, call);
  } catch (error) {
    call.cancel();
    throw error;
  }
}

async function forwardVoice(context: MessagesContext, voice: OutgoingVoice, call: VoiceCall): Promise<MessageRecord> {
  const { sender, trace } = voice;
  const { userId, voiceType, submission } = await readVoice(voice, (chunk) => call.send(chunk));
  await admit(context, sender, userId);
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
async function readVoice({ readForm, sender, idempotencyKey }: OutgoingVoice, send: (chunk: Buffer) => Promise<void>) {
  const hash = createHash('sha256');
  const form = await readForm(async (chunks) => {
    for await (const chunk of chunks) {
      hash.update(chunk);
      await send(chunk);
    }
  });
  return {
    ...form,
    submission: readSubmission(idempotencyKey, sender, [
      'voice',
      String(form.userId),
      form.voiceType,
      hash.digest('base64url'),
    ]),
  };
}

/** @throws {AppError} `user_not_found`, `too_many_requests` */
async function admit({ auth, limits }: MessagesContext, sender: Identity, userId: number): Promise<void> {
  await limits.sender.consume(senderKey(sender));
  if (!(await auth.hasUser(userId))) throw new AppError({ code: 'user_not_found', message: 'User not found' });
  await limits.recipient.consume(String(userId));
}

/** Saves a message with its event, or finds the one that the same submission created. @throws {AppError} `idempotency_conflict` */
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
