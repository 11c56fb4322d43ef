import { createHash } from 'node:crypto';
import { AppError, requireSameContent, type Identity, type Submission } from '@najwa/common';
import type { SenderTrace } from '@najwa/proto/events';
import { ImageKind } from '@najwa/proto/media';
import type { MessagesContext } from '../context.js';
import type { MessageRecord } from '../db/messages.js';
import { messageCreated } from './events.js';

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
export async function sendMessage(context: MessagesContext, { userId, content, image, sender, trace, submission }: OutgoingMessage): Promise<MessageRecord> {
  const { auth, media, messages, outbox, limits } = context;
  const earlier = await messages.findBySubmission(submission.key);
  if (earlier) {
    requireSameContent(submission, earlier.submission);
    return earlier;
  }

  await limits.sender.consume(sender.user ? `user ${sender.user.id}` : `address ${sender.ip}`);
  if ((await auth.findUser(userId)) === null) throw new AppError({ code: 'user_not_found', message: 'User not found' });
  await limits.recipient.consume(String(userId));

  const senderUserId = sender.user?.id ?? null;
  const readerIds = senderUserId === null ? [userId] : [userId, senderUserId];
  const stored = image && (await media.storeImage({ content: image, storageKey: storageKeyOf(submission), readerIds, kind: ImageKind.IMAGE_KIND_MESSAGE }));
  const { message, isNew } = await messages.insert({ userId, senderUserId, content, imageName: stored?.name ?? null, submission }, (created) => [
    messageCreated(created, trace),
  ]);
  if (isNew) outbox.notify();
  else requireSameContent(submission, message.submission);
  return message;
}

/** The same for every try of one submission, and of the form that media takes. */
function storageKeyOf({ key, content }: Submission): string {
  return createHash('sha256').update(`${key} ${content}`).digest('hex');
}
