import { AppError, requireSameContent, type Submission } from '@najwa/common';
import type { FollowMessageRequest } from '@najwa/proto/media';
import type { MessagesContext } from '../context.js';
import type { MessageRecord, ReplacedReply, ReplyRecord } from '../db/messages.js';
import { deletionOf, messageDeleted, messageUpdated, replySaved, updateOf } from './events.js';

const notFound = (): AppError => new AppError({ code: 'message_not_found', message: 'There is no such message.' });

/** What is another's is answered like what does not exist. */
function requireRecipient(message: MessageRecord | null, userId: number): MessageRecord {
  if (message?.userId !== userId) throw notFound();
  return message;
}

/** Lets media know at once who may have a picture and a sound from now on. Where it cannot be reached, the event will. */
async function tellMedia({ media, logger }: MessagesContext, change: FollowMessageRequest['change']): Promise<void> {
  try {
    await media.followMessage({ change });
  } catch (error) {
    logger.warn({ err: error }, 'media hears of a message by its event alone');
  }
}

const hasMedia = ({ imageName, audio }: MessageRecord): boolean => imageName !== null || audio !== null;

/** @throws {AppError} `message_not_found` to anyone but the recipient */
export async function updateMessage(
  context: MessagesContext,
  userId: number,
  id: number,
  set: { isRead: true } | { isPublic: boolean },
): Promise<MessageRecord> {
  const { messages, outbox } = context;
  const found = await messages.change(id, (message) => {
    requireRecipient(message, userId);
    const already = 'isRead' in set ? message.isRead : message.isPublic === set.isPublic;
    return already ? null : { set, events: (after) => [messageUpdated(after)] };
  });
  outbox.notify();
  const message = requireRecipient(found, userId);
  if ('isPublic' in set && hasMedia(message)) await tellMedia(context, { $case: 'updated', value: updateOf(message) });
  return message;
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
  const ofSubmission = ({ reply: present, replacedReplies = [] }: MessageRecord) =>
    [present, ...replacedReplies].find((known) => known?.submission.key === submission.key);
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

/** Tries of one submission come soon after one another, and so many replies do not come in between. */
const MOST_REPLACED = 10;

function withReplaced(earlier: ReplacedReply[] = [], { id, createdAt, submission }: ReplyRecord): ReplacedReply[] {
  return [{ id, createdAt, submission }, ...earlier].slice(0, MOST_REPLACED);
}

/**
 * Removes a message for everybody when its recipient asks, and from the sender's own list when the sender does.
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
    if (hasMedia(message)) await tellMedia(context, { $case: 'deleted', value: deletion });
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
 * The reply to a message, for its recipient, for the account that sent it, and for anyone once it is public.
 * @throws {AppError} `message_not_found` to anyone else
 */
export async function readReply(
  { messages }: MessagesContext,
  userId: number | undefined,
  messageId: number,
): Promise<{ messageId: number; reply: ReplyRecord } | null> {
  const message = await messages.find(messageId);
  const mayRead =
    message !== null &&
    (message.isPublic || (userId !== undefined && (message.userId === userId || message.senderUserId === userId)));
  if (!mayRead) throw notFound();
  return message.reply && { messageId, reply: message.reply };
}
