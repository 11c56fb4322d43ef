import { createHash } from 'node:crypto';
import { AppError } from '@najwa/common/errors';
import { senderOf, type Identity } from '@najwa/common/identity';
import { readSubmission, type Submission } from '@najwa/common/limits';
import type { SenderTrace } from '@najwa/proto/events';
import { ImageKind, VoiceType } from '@najwa/proto/media';
import type { VoiceCall } from '../clients/media.js';
import type { Sent } from '../inbox/present.js';
import { requireRule } from '../safety/receiving.js';
import { newWayBack } from '../sender-links/ways-back.js';
import { messageCreated, messageSetAside } from '../store/events.js';
import { drawArrival, type EarlierMessage, type NewMessage } from '../store/message-record.js';
import { admitToInbox, type Following, type SendingDeps } from './admission.js';
import { replay, storageKeyOf } from './retries.js';

export interface Origin {
  sender: Identity;
  trace: SenderTrace;
  proof: string | undefined;
  /** Undefined for a first message. */
  following?: Following;
}

export interface OutgoingMessage {
  userId: number;
  content: string;
  promptId: number | undefined;
  image: Buffer | null;
  submission: Submission;
  /** Derived by the client, or generated. */
  wayBack: string | undefined;
  isLater: boolean;
}

/**
 * Idempotent per submission.
 * @throws {AppError} the errors of `admitToInbox`, `prompt_not_found`, `unsupported_image`, `image_too_large`,
 * `idempotency_conflict`
 */
export async function sendMessage(
  deps: SendingDeps,
  origin: Origin,
  { userId, content, promptId, image, submission, wayBack, isLater }: OutgoingMessage,
): Promise<Sent> {
  await admitToInbox(deps, origin, userId, isLater);
  const prompt = await findPrompt(deps, userId, promptId);
  const { sender } = origin;
  const stored =
    image &&
    (await deps.media.storeImage({
      content: image,
      storageKey: storageKeyOf(submission),
      readerIds: sender.user === null ? [userId] : [userId, sender.user.id],
      kind: ImageKind.IMAGE_KIND_MESSAGE,
      ...senderOf(sender),
    }));
  const arrived = { userId, content, imageName: stored?.name ?? null, audio: null, submission, ...prompt };
  return save(deps, origin, arrived, isLater, wayBack);
}

async function findPrompt(
  { auth }: SendingDeps,
  userId: number,
  promptId: number | undefined,
): Promise<Pick<NewMessage, 'prompt'>> {
  if (promptId === undefined) return {};
  const find = async () => (await auth.findUser(userId))?.prompts.find(({ id }) => id === promptId);
  let found = await find();
  if (found === undefined) {
    // The cached account may lack a new question.
    auth.forget(userId);
    found = await find();
  }
  if (found === undefined)
    throw new AppError({ code: 'prompt_not_found', message: 'The recipient has no such prompt.' });
  return { prompt: { id: found.id, content: found.content } };
}

export interface VoiceForm {
  /** Missing in a conversation. */
  userId?: number;
  voiceType: 'male' | 'female';
  isAltered?: 'true' | undefined;
  promptId?: number | undefined;
  later?: 'true' | undefined;
}

export interface OutgoingVoice {
  idempotencyKey: string | undefined;
  earlier: EarlierMessage | null;
  form: AsyncIterable<Buffer> & {
    /** Those before the recording, from its first piece on. */
    preceding(): Partial<VoiceForm>;
    /** After the last piece. @throws {AppError} `invalid_input` */
    complete(): VoiceForm;
  };
}

const VOICE_TYPES = { male: VoiceType.VOICE_TYPE_MALE, female: VoiceType.VOICE_TYPE_FEMALE };

/**
 * Idempotent per submission. Media stores only the altered voice.
 * @throws {AppError} the errors of `admitToInbox`, `invalid_input`, `payload_too_large`, `request_timeout`,
 * `prompt_not_found`, `idempotency_conflict`
 */
export async function sendVoiceMessage(
  deps: SendingDeps,
  origin: Origin,
  { idempotencyKey, earlier, form }: OutgoingVoice,
): Promise<Sent> {
  const { sender, following } = origin;
  const recipientOf = ({ userId }: Partial<VoiceForm>): number | undefined => following?.userId ?? userId;
  const digest = createHash('sha256');
  let admittedTo: number | undefined;
  let call: VoiceCall | undefined;
  try {
    for await (const piece of form) {
      if (earlier === null && call === undefined) {
        // A form with the recipient first is refused before its sound is read.
        const preceding = form.preceding();
        admittedTo = recipientOf(preceding);
        if (admittedTo !== undefined) await admitToInbox(deps, origin, admittedTo, preceding.later === 'true');
        call = await deps.media.beginVoice(senderOf(sender));
      }
      digest.update(piece);
      await call?.send(piece);
    }
    const complete = form.complete();
    const { voiceType, isAltered, promptId, later } = complete;
    const isLater = later === 'true';
    const userId = recipientOf(complete);
    if (userId === undefined) throw new Error('A complete form has a recipient.');
    // Hashes parts, because multipart boundaries differ between tries.
    const parts = [
      ...['voice', addresseeOf(userId, following), voiceType, digest.digest('base64url')],
      ...(isAltered === undefined ? [] : ['altered']),
      ...partsOf(promptId, isLater),
    ];
    const submission = readSubmission(idempotencyKey, sender, parts);
    if (earlier !== null) return { message: replay(earlier, { submission, content: '' }), wayBack: null, isLater };
    if (call === undefined) throw new Error('A complete form has a recording.');
    if (admittedTo === undefined) await admitToInbox(deps, origin, userId, isLater);
    const prompt = await findPrompt(deps, userId, promptId);
    const { name, contentType, duration, peaks } = await call.finish({
      voiceType: VOICE_TYPES[voiceType],
      isAltered: isAltered !== undefined,
      storageKey: storageKeyOf(submission),
      readerIds: [userId],
      maker: sender.user ? { $case: 'userId', value: sender.user.id } : { $case: 'visitorId', value: sender.visitorId },
    });
    const audio = { name, contentType, duration, peaks };
    return await save(deps, origin, { userId, content: '', imageName: null, audio, submission, ...prompt }, isLater);
  } catch (error) {
    call?.cancel();
    throw error;
  }
}

/** For the hash of a submission. */
export const addresseeOf = (userId: number, following?: Following): string =>
  following ? `conversation ${following.conversation.id}` : String(userId);

export const partsOf = (promptId: number | null | undefined, isLater: boolean): string[] => [
  ...(promptId ? [`prompt ${promptId}`] : []),
  ...(isLater ? ['later'] : []),
];

/**
 * Rechecks the rule, for a page paused meanwhile. Blocked, suspended and filtered senders take the same steps.
 * @throws {AppError} `idempotency_conflict`, `not_your_turn`, the errors of `requireRule`
 */
async function save(
  deps: SendingDeps,
  { sender, trace, following }: Origin,
  arrived: Omit<NewMessage, 'sender' | 'aside' | 'tags' | 'sealedSender' | 'createdAt' | 'wayBack'>,
  isLater: boolean,
  givenWayBack?: string,
): Promise<Sent> {
  const { messages, outbox, judge, senders, deliveries } = deps;
  const { userId, content } = arrived;
  const { tags, known, verdict, networkBlock, receiving } = await judge.judge(
    userId,
    sender,
    content,
    following?.earlier,
  );
  if (receiving) await requireRule(deps, sender.user, receiving);
  const createdAt = new Date();
  const wayBack = newWayBack(givenWayBack);
  const newMessage: NewMessage = {
    ...arrived,
    createdAt,
    sender: sender.user && (await senders.tagOf(sender.user.id)),
    sealedSender: await senders.seal(known, { ...arrived, createdAt }),
    tags,
    aside: isLater ? { reason: 'later', matched: null, at: createdAt, deliverAt: drawArrival(createdAt) } : verdict,
    wayBack: following?.wayBack ?? wayBack.hash,
    ...(following && { conversation: following.conversation }),
  };
  const { message, isNew } = await messages.insert(newMessage, async (created) => {
    const sealed = await senders.sealTrace(trace, created);
    return [created.aside ? messageSetAside(created, sealed) : messageCreated(created, sealed)];
  });
  if (!isNew) return { message: replay(message, newMessage), wayBack: givenWayBack ?? null, isLater };
  outbox.notify(messages.collection);
  if (message.aside?.deliverAt) deliveries.schedule(message.aside.deliverAt);
  // Not awaited, so that timing does not differ.
  else if (networkBlock !== null) judge.noteNetworkHit(userId, networkBlock, tags.visitor);
  return { message, wayBack: following ? null : wayBack.token, isLater };
}
