import { AppError, requireSameContent, type Submission } from '@najwa/common';
import type { FollowMessageRequest } from '@najwa/proto/media';
import type { MessagesContext } from '../context.js';
import type { MessageCounts } from '../db/counts.js';
import type { MessageRecord, ReadFilter, ReceivedFilter, ReplacedReply, ReplyRecord } from '../db/message-record.js';
import type { Page } from '../db/messages.js';
import { deletionOf, messageDeleted, messageUpdated, replySaved, updateOf } from './events.js';

const countOf: Record<ReceivedFilter, (counts: MessageCounts) => number> = {
  all: ({ received }) => received,
  read: ({ read }) => read,
  unread: ({ received, read }) => received - read,
  public: (counts) => counts.public,
};

/** A page of the messages that an account received. The cost does not depend on the size of the inbox. */
export async function listReceived(
  { messages, counts }: MessagesContext,
  userId: number,
  filter: ReceivedFilter,
  page: Page,
): Promise<MessageRecord[]> {
  const summary = await counts.summary(userId);
  const extent = { count: countOf[filter](summary.counts), span: summary.receivedIds };
  return messages.listReceived(userId, filter, extent, page);
}

/** A page of the messages that an account sent. The filter is about whether the recipient read them. */
export async function listSent(
  { messages, counts }: MessagesContext,
  senderUserId: number,
  filter: ReadFilter,
  page: Page,
): Promise<MessageRecord[]> {
  const summary = await counts.summary(senderUserId);
  return messages.listSent(senderUserId, filter, { count: summary.counts.sent, span: summary.sentIds }, page);
}

/** @throws {AppError} `message_not_found` to anyone but the recipient */
export async function updateMessage(
  context: MessagesContext,
  userId: number,
  id: number,
  set: { isRead?: true; isPublic?: boolean },
): Promise<MessageRecord> {
  const { messages, outbox } = context;
  const found = await messages.change(id, (message) => {
    requireRecipient(message, userId);
    const { isRead = message.isRead, isPublic = message.isPublic } = set;
    const isUnchanged = isRead === message.isRead && isPublic === message.isPublic;
    return isUnchanged ? null : { set, events: (after) => [messageUpdated(after)] };
  });
  outbox.notify();
  const message = requireRecipient(found, userId);
  if (set.isPublic !== undefined && hasMedia(message))
    await notifyMedia(context, { $case: 'updated', value: updateOf(message) });
  return message;
}

/**
 * Deletes a message for everybody when the recipient asks, and from the sender's own list when the sender asks.
 * @throws {AppError} `message_not_found` to anyone else
 */
export async function deleteMessage(context: MessagesContext, userId: number, id: number): Promise<void> {
  const { messages, outbox } = context;
  const message = await messages.find(id);
  if (message?.userId === userId) {
    let deletion = deletionOf(message);
    await messages.remove(id, (current) => {
      deletion = deletionOf(current);
      return messageDeleted(deletion);
    });
    if (hasMedia(message)) await notifyMedia(context, { $case: 'deleted', value: deletion });
  } else if (message?.senderUserId === userId && !message.hiddenFromSender) {
    await messages.change(id, ({ hiddenFromSender }) =>
      hiddenFromSender ? null : { set: { hiddenFromSender: true }, events: (after) => [messageUpdated(after)] },
    );
  } else {
    throw notFound();
  }
  outbox.notify();
}

/**
 * Saves the recipient's reply, replacing an earlier one, and marks the message as read. Repeating a submission changes
 * nothing, even after another reply replaced it.
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
  const ofSubmission = ({ reply: current, replacedReplies = [] }: MessageRecord) =>
    [current, ...replacedReplies].find((known) => known?.submission.key === submission.key);
  const changed = await messages.change(messageId, (message) => {
    requireRecipient(message, userId);
    const earlier = ofSubmission(message);
    if (earlier) {
      requireSameContent(submission, earlier.submission);
      return null;
    }
    return {
      set: {
        reply,
        isRead: true,
        ...(message.reply && { replacedReplies: withReplaced(message.replacedReplies, message.reply) }),
      },
      events: (after) => (message.isRead ? [replySaved(after)] : [replySaved(after), messageUpdated(after)]),
    };
  });
  outbox.notify();
  if (changed === null) throw notFound();
  return { ...reply, ...ofSubmission(changed) };
}

/** Retries follow each other closely, so only the latest replaced replies are kept. */
const MAX_REPLACED_REPLIES = 10;

function withReplaced(earlier: ReplacedReply[] = [], { id, createdAt, submission }: ReplyRecord): ReplacedReply[] {
  return [{ id, createdAt, submission }, ...earlier].slice(0, MAX_REPLACED_REPLIES);
}

/**
 * The reply to a message, for its recipient, for the account that sent it, and for everyone once the message is public.
 * @throws {AppError} `message_not_found` to anyone else
 */
export async function readReply(
  { messages }: MessagesContext,
  userId: number | undefined,
  messageId: number,
): Promise<ReplyRecord | null> {
  const message = await messages.find(messageId);
  const mayRead =
    message !== null &&
    (message.isPublic || (userId !== undefined && (message.userId === userId || message.senderUserId === userId)));
  if (!mayRead) throw notFound();
  return message.reply;
}

const notFound = (): AppError => new AppError({ code: 'message_not_found', message: 'There is no such message.' });

/** Answers the same for another account's message and a missing one. */
function requireRecipient(message: MessageRecord | null, userId: number): MessageRecord {
  if (message?.userId !== userId) throw notFound();
  return message;
}

const hasMedia = ({ imageName, audio }: MessageRecord): boolean => imageName !== null || audio !== null;

/** Notifies media of a change ahead of its event, so that permissions apply immediately. */
async function notifyMedia({ media, logger }: MessagesContext, change: FollowMessageRequest['change']): Promise<void> {
  try {
    await media.followMessage({ change });
  } catch (error) {
    logger.warn({ err: error }, 'media was not reached; it learns of the change from the event');
  }
}
