import { createHash } from 'node:crypto';
import { AppError, readSubmission, senderKey, type Identity, type Submission } from '@najwa/common';
import type { SenderTrace } from '@najwa/proto/events';
import { ImageKind, VoiceType } from '@najwa/proto/media';
import type { VoiceCall } from '../clients/media.js';
import type { MessagesContext } from '../context.js';
import type { Accepted, EarlierMessage, NewMessage } from '../store/message-record.js';
import { admitToInbox, requireRule } from './admission.js';
import { messageCreated, messageSetAside } from '../store/events.js';
import { replay, storageKeyOf } from './retries.js';
import { newWayBack } from '../sender-links/ways-back.js';

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
  /** Of the recipient's question that it answers. */
  promptId: number | undefined;
  image: Buffer | null;
  submission: Submission;
  /** Token of the sender's way back, for whoever can derive it again. Without it one is made up. */
  wayBack: string | undefined;
}

export interface Sent {
  message: Accepted;
  /** Token of the sender's way back. Null if an earlier try created the message and got a made-up token in its answer. */
  wayBack: string | null;
}

/**
 * Accepts a message, once per submission.
 * @throws {AppError} the errors of `admitToInbox`, `prompt_not_found`, `unsupported_image`, `image_too_large`,
 * `idempotency_conflict`
 */
export async function sendMessage(
  context: MessagesContext,
  origin: Origin,
  { userId, content, promptId, image, submission, wayBack }: OutgoingMessage,
): Promise<Sent> {
  await admitToInbox(context, origin, userId);
  const prompt = await findPrompt(context, userId, promptId);
  const { sender } = origin;
  const stored =
    image &&
    (await context.media.storeImage({
      content: image,
      storageKey: storageKeyOf(submission),
      readerIds: sender.user === null ? [userId] : [userId, sender.user.id],
      kind: ImageKind.IMAGE_KIND_MESSAGE,
      senderKey: senderKey(sender),
    }));
  const arrived = { userId, content, imageName: stored?.name ?? null, audio: null, submission, ...prompt };
  return save(context, origin, arrived, wayBack);
}

/** The question as it is now, for the message to keep. */
async function findPrompt(
  { auth }: MessagesContext,
  userId: number,
  promptId: number | undefined,
): Promise<Pick<NewMessage, 'prompt'>> {
  if (promptId === undefined) return {};
  const find = async () => (await auth.findUser(userId))?.prompts.find(({ id }) => id === promptId);
  let found = await find();
  if (found === undefined) {
    // It may be newer than what is cached of the account.
    auth.forget(userId);
    found = await find();
  }
  if (found === undefined)
    throw new AppError({ code: 'prompt_not_found', message: 'The recipient has no such prompt.' });
  return { prompt: { id: found.id, content: found.content } };
}

export interface VoiceForm {
  userId: number;
  voiceType: 'male' | 'female';
  promptId?: number | undefined;
}

export interface OutgoingVoice {
  idempotencyKey: string | undefined;
  /** The message that an earlier try of this submission created. */
  earlier: EarlierMessage | null;
  /** The recording as it arrives, and the fields beside it. */
  form: AsyncIterable<Buffer> & {
    /** The fields before the recording, from its first piece on. */
    preceding(): Partial<VoiceForm>;
    /** All fields, once the form was read to its end. @throws {AppError} `invalid_input` */
    complete(): VoiceForm;
  };
}

const VOICE_TYPES = { male: VoiceType.VOICE_TYPE_MALE, female: VoiceType.VOICE_TYPE_FEMALE };

/**
 * Accepts a voice message, once per submission. The recording is streamed to media and not kept; only the altered voice
 * is. While it is private, only the recipient may hear it, and whoever has the way back.
 * @throws {AppError} the errors of `admitToInbox`, `invalid_input`, `payload_too_large`, `request_timeout`, `prompt_not_found`,
 * `idempotency_conflict`
 */
export async function sendVoiceMessage(
  context: MessagesContext,
  origin: Origin,
  { idempotencyKey, earlier, form }: OutgoingVoice,
): Promise<Sent> {
  const { sender } = origin;
  const digest = createHash('sha256');
  let admittedTo: number | undefined;
  let call: VoiceCall | undefined;
  try {
    for await (const piece of form) {
      if (earlier === null && call === undefined) {
        // A form that names the recipient first is refused before its sound is read.
        admittedTo = form.preceding().userId;
        if (admittedTo !== undefined) await admitToInbox(context, origin, admittedTo);
        call = await context.media.beginVoice(senderKey(sender));
      }
      digest.update(piece);
      await call?.send(piece);
    }
    const { userId, voiceType, promptId } = form.complete();
    // Multipart boundaries differ between tries, so the submission is a hash of the parts.
    const parts = ['voice', String(userId), voiceType, digest.digest('base64url'), ...partsOf(promptId)];
    const submission = readSubmission(idempotencyKey, sender, parts);
    if (earlier !== null) return { message: replay(earlier, { submission, content: '' }), wayBack: null };
    if (call === undefined) throw new Error('A complete form has a recording.');
    if (admittedTo === undefined) await admitToInbox(context, origin, userId);
    const prompt = await findPrompt(context, userId, promptId);
    const { name, contentType, duration, peaks } = await call.finish({
      voiceType: VOICE_TYPES[voiceType],
      storageKey: storageKeyOf(submission),
      readerIds: [userId],
      maker: sender.user ? { $case: 'userId', value: sender.user.id } : { $case: 'visitorId', value: sender.visitorId },
    });
    const audio = { name, contentType, duration, peaks };
    return await save(context, origin, { userId, content: '', imageName: null, audio, submission, ...prompt });
  } catch (error) {
    call?.cancel();
    throw error;
  }
}

/** Adds the answered question to the content of a submission. */
export const partsOf = (promptId: number | null | undefined): string[] => (promptId ? [`prompt ${promptId}`] : []);

/**
 * Saves a message with its event, or finds the one that the same submission created. Who may write is read with it, so
 * that a page that was paused meanwhile takes nothing more. A message of a blocked or suspended sender, or one that a
 * filter stops, takes the same steps.
 * @throws {AppError} `idempotency_conflict`, the errors of `requireRule`
 */
async function save(
  context: MessagesContext,
  { sender, trace }: Origin,
  arrived: Omit<NewMessage, 'sender' | 'aside' | 'tags' | 'sealedSender' | 'createdAt' | 'wayBack'>,
  givenWayBack?: string,
): Promise<Sent> {
  const { messages, outbox, judge, rules, senders, logger } = context;
  const { tags, known, verdict, networkBlock, receiving } = await judge.judge(arrived.userId, sender, arrived.content);
  if (receiving) await requireRule(context, sender.user, receiving);
  const createdAt = new Date();
  const wayBack = newWayBack(givenWayBack);
  const newMessage: NewMessage = {
    ...arrived,
    createdAt,
    sender: sender.user && (await senders.tagOf(sender.user.id)),
    sealedSender: await senders.seal(known, { ...arrived, createdAt }),
    tags,
    aside: verdict,
    wayBack: wayBack.hash,
  };
  const { message, isNew } = await messages.insert(newMessage, async (created) => {
    const sealed = await senders.sealTrace(trace, created);
    return [created.aside ? messageSetAside(created, sealed) : messageCreated(created, sealed)];
  });
  if (!isNew) return { message: replay(message, newMessage), wayBack: givenWayBack ?? null };
  outbox.notify(messages.collection);
  // Not awaited, so that the answer takes the same time. If it is lost, the next message of the visitor notes it.
  if (networkBlock !== null)
    rules.noteNetworkHit(arrived.userId, networkBlock, tags.visitor).catch((error: unknown) => {
      logger.warn({ err: error }, 'hit of a blocked network not noted');
    });
  return { message, wayBack: wayBack.token };
}
