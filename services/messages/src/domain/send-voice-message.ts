import { createHash } from 'node:crypto';
import { readSubmission, senderKey, type Identity } from '@najwa/common';
import type { SenderTrace } from '@najwa/proto/events';
import { VoiceType } from '@najwa/proto/media';
import type { VoiceCall } from '../clients/media.js';
import type { MessagesContext } from '../context.js';
import type { MessageRecord } from '../db/messages.js';
import { admitMessage, answerAgain, saveMessage, storageKeyOf } from './sending.js';

export interface VoiceForm {
  userId: number;
  voiceType: 'male' | 'female';
}

export interface OutgoingVoice {
  sender: Identity;
  trace: SenderTrace;
  idempotencyKey: string | undefined;
  /** Reads the form, which hands over the recording as it arrives, before or after what is said about it. */
  readForm: (receive: (pieces: AsyncIterable<Buffer>) => Promise<void>) => Promise<VoiceForm>;
}

const VOICE_TYPES = { male: VoiceType.VOICE_TYPE_MALE, female: VoiceType.VOICE_TYPE_FEMALE };

/**
 * Accepts a voice message: once a submission, whatever is sent again. The recording goes to media as it arrives and stays
 * nowhere on the way; only what media makes of it is kept. The sound is the recipient's alone, not even its sender's.
 * @throws {AppError} `user_not_found`, `too_many_requests`, `invalid_input`, `payload_too_large`, `idempotency_conflict`
 */
export async function sendVoiceMessage(context: MessagesContext, voice: OutgoingVoice): Promise<MessageRecord> {
  const { sender, idempotencyKey } = voice;
  const repeated =
    idempotencyKey === undefined
      ? null
      : await context.messages.findBySubmission(readSubmission(idempotencyKey, sender, []).key);
  if (repeated) {
    const { submission } = await readVoice(voice, () => Promise.resolve());
    return answerAgain(repeated, { submission, content: '' });
  }

  await context.limits.voice.consume(senderKey(sender));
  const call = context.media.beginVoice();
  try {
    return await sendOn(context, voice, call);
  } catch (error) {
    call.cancel();
    throw error;
  }
}

async function sendOn(context: MessagesContext, voice: OutgoingVoice, call: VoiceCall): Promise<MessageRecord> {
  const { sender, trace } = voice;
  const { userId, voiceType, submission } = await readVoice(voice, (piece) => call.send(piece));
  await admitMessage(context, sender, userId);
  const { name, contentType, duration, peaks } = await call.finish({
    voiceType: VOICE_TYPES[voiceType],
    storageKey: storageKeyOf(submission),
    readerIds: [userId],
    maker: sender.user ? { $case: 'userId', value: sender.user.id } : { $case: 'visitorId', value: sender.visitorId },
    senderKey: senderKey(sender),
  });
  const audio = { name, contentType, duration, peaks };
  return saveMessage(
    context,
    { userId, senderUserId: sender.user?.id ?? null, content: '', imageName: null, audio, submission },
    trace,
  );
}

/** Reads the form to its end. A multipart form has other bytes at every try, so that it is its parts that make the submission. */
async function readVoice({ readForm, sender, idempotencyKey }: OutgoingVoice, send: (piece: Buffer) => Promise<void>) {
  const hash = createHash('sha256');
  const form = await readForm(async (pieces) => {
    for await (const piece of pieces) {
      hash.update(piece);
      await send(piece);
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
