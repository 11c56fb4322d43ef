import type { Identity, Submission } from '@najwa/common';
import type { SenderTrace } from '@najwa/proto/events';
import { ImageKind } from '@najwa/proto/media';
import type { MessagesContext } from '../context.js';
import type { MessageRecord } from '../db/messages.js';
import { admitMessage, answerAgain, saveMessage, storageKeyOf } from './sending.js';

export interface OutgoingMessage {
  userId: number;
  content: string;
  image: Buffer | null;
  sender: Identity;
  trace: SenderTrace;
  submission: Submission;
}

/**
 * Accepts a message: once a submission, whatever is sent again.
 * @throws {AppError} `user_not_found`, `too_many_requests`, `unsupported_image`, `image_too_large`, `idempotency_conflict`
 */
export async function sendMessage(
  context: MessagesContext,
  { userId, content, image, sender, trace, submission }: OutgoingMessage,
): Promise<MessageRecord> {
  const { media, messages } = context;
  const earlier = await messages.findBySubmission(submission.key);
  if (earlier) return answerAgain(earlier, { submission, content });

  await admitMessage(context, sender, userId);
  const senderUserId = sender.user?.id ?? null;
  const readerIds = senderUserId === null ? [userId] : [userId, senderUserId];
  const stored =
    image &&
    (await media.storeImage({
      content: image,
      storageKey: storageKeyOf(submission),
      readerIds,
      kind: ImageKind.IMAGE_KIND_MESSAGE,
    }));
  return saveMessage(
    context,
    { userId, senderUserId, content, imageName: stored?.name ?? null, audio: null, submission },
    trace,
  );
}
