import { createHash } from 'node:crypto';
import { AppError, requireSameContent, senderKey, type Identity, type Submission } from '@najwa/common';
import type { SenderTrace } from '@najwa/proto/events';
import type { MessagesContext } from '../context.js';
import type { EarlierMessage, MessageRecord, NewMessage } from '../db/messages.js';
import { messageCreated } from './events.js';

/** @throws {AppError} `user_not_found`, `too_many_requests` */
export async function admitMessage({ auth, limits }: MessagesContext, sender: Identity, userId: number): Promise<void> {
  await limits.sender.consume(senderKey(sender));
  if (!(await auth.hasUser(userId))) throw new AppError({ code: 'user_not_found', message: 'User not found' });
  await limits.recipient.consume(String(userId));
}

/** Saves a message and tells of it, or finds that the same submission was saved meanwhile. @throws {AppError} `idempotency_conflict` */
export async function saveMessage(
  { messages, outbox }: MessagesContext,
  newMessage: NewMessage,
  trace: SenderTrace,
): Promise<MessageRecord> {
  const { message, isNew } = await messages.insert(newMessage, (created) => [messageCreated(created, trace)]);
  if (!isNew) return answerAgain(message, newMessage);
  outbox.notify();
  return message;
}

/**
 * What a repeated submission is answered. A message that was deleted since is neither sent again, nor does its sender learn
 * of it: the answer has the words that were sent, which are kept nowhere else.
 * @throws {AppError} `idempotency_conflict`
 */
export function answerAgain(
  earlier: EarlierMessage,
  { submission, content }: Pick<NewMessage, 'submission' | 'content'>,
): MessageRecord {
  requireSameContent(submission, earlier.submission);
  return earlier.deletedAt ? { ...earlier, content } : earlier;
}

/** The same for every try of one submission, and of the form that media takes. */
export function storageKeyOf({ key, content }: Submission): string {
  return createHash('sha256').update(`${key} ${content}`).digest('hex');
}
