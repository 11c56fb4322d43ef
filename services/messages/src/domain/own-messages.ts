import { AppError, requireSameContent, type Submission } from '@najwa/common';
import type { MessagesContext } from '../context.js';
import type { MessageRecord, ReplacedReply, ReplyRecord } from '../db/messages.js';
import { messageDeleted, messageUpdated, replySaved } from './events.js';

const notFound = (): AppError => new AppError({ code: 'message_not_found', message: 'There is no such message.' });

/** What is another's is answered like what does not exist. */
function requireRecipient(message: MessageRecord | null, userId: number): MessageRecord {
  if (message?.userId !== userId) throw notFound();
  return message;
}

/** @throws {AppError} `message_not_found` to anyone but the recipient */
export async function updateMessage({ messages, outbox }: MessagesContext, userId: number, id: number, set: { isRead: true } | { isPublic: boolean }): Promise<MessageRecord> {
  const changed = await messages.change(id, (message) => {
    requireRecipient(message, userId);
    const already = 'isRead' in set ? message.isRead : message.isPublic === set.isPublic;
    return already ? null : { set, events: (after) => [messageUpdated(after)] };
  });
  outbox.notify();
  return requireRecipient(changed, userId);
}

/**
 * Saves the recipient's reply, in place of an earlier one, and marks the message as read. A submission that is repeated
 * changes nothing, also where another reply has taken its place since.
 * @throws {AppError} `message_not_found` to anyone but the recipient, `idempotency_conflict`
 */
export async function replyToMessage(
  { messages, replyKeys, outbox }: MessagesContext,
  userId: number,
  { messageId, content, submission }: { messageId: number; content: string; submission: Submission },
): Promise<ReplyRecord> {
  requireRecipient(await messages.find(messageId), userId);
  requireSameContent(submission, await replyKeys.use(submission));
  const reply: ReplyRecord = { id: await messages.nextReplyId(), content, createdAt: new Date(), submission };
  const ofSubmission = ({ reply: present, replacedReplies = [] }: MessageRecord) => [present, ...replacedReplies].find((known) => known?.submission.key === submission.key);
  const changed = await messages.change(messageId, (message) => {
    requireRecipient(message, userId);
    const earlier = ofSubmission(message);
    if (earlier) {
      requireSameContent(submission, earlier.submission);
      return null;
    }
    return {
      set: { reply, isRead: true, ...(message.reply && { replacedReplies: withReplaced(message.replacedReplies, message.reply) }) },
      events: (after) => (message.isRead ? [replySaved(after)] : [replySaved(after), messageUpdated(after)]),
    };
  });
  outbox.notify();
  if (changed === null) throw notFound();
  return { ...reply, ...ofSubmission(changed) };
}

/** Tries of one submission come soon after one another, and so many replies do not come in between. */
const MOST_REPLACED = 10;

function withReplaced(earlier: ReplacedReply[] = [], { id, createdAt, submission }: ReplyRecord): ReplacedReply[] {
  return [{ id, createdAt, submission }, ...earlier].slice(0, MOST_REPLACED);
}

/**
 * Removes a message for everybody when its recipient asks, and from the sender's own list when the sender does.
 * @throws {AppError} `message_not_found` to anyone else
 */
export async function deleteMessage({ messages, outbox }: MessagesContext, userId: number, id: number): Promise<void> {
  const message = await messages.find(id);
  if (message?.userId === userId) {
    await messages.remove(id, messageDeleted);
  } else if (message?.senderUserId === userId && !message.hiddenFromSender) {
    await messages.change(id, ({ hiddenFromSender }) => (hiddenFromSender ? null : { set: { hiddenFromSender: true }, events: (after) => [messageUpdated(after)] }));
  } else {
    throw notFound();
  }
  outbox.notify();
}

/**
 * The reply to a message, for its recipient, for the account that sent it, and for anyone once it is public.
 * @throws {AppError} `message_not_found` to anyone else
 */
export async function readReply({ messages }: MessagesContext, userId: number | undefined, messageId: number): Promise<{ messageId: number; reply: ReplyRecord } | null> {
  const message = await messages.find(messageId);
  const mayRead = message !== null && (message.isPublic || (userId !== undefined && (message.userId === userId || message.senderUserId === userId)));
  if (!mayRead) throw notFound();
  return message.reply && { messageId, reply: message.reply };
}
