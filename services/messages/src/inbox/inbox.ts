import { AppError, randomId, requireSameContent, type Submission } from '@najwa/common';
import type { User } from '@najwa/proto/auth';
import type { FollowMessageRequest } from '@najwa/proto/media';
import type { MessagesContext } from '../context.js';
import type { CountSummary, MessageCounts } from '../store/counts.js';
import {
  discarded,
  isShownAside,
  type Aside,
  NOBODY,
  type MessageRecord,
  type ReadFilter,
  type ReplacedReply,
  type ReplyRecord,
  type Undo,
} from '../store/message-record.js';
import type { ListExtent, Page, Selection, SentSelection } from '../store/messages.js';
import { deletionOf, messageDeleted, messageUpdated, replySaved, updateOf } from '../store/events.js';

const countOf: Record<ReadFilter, (counts: MessageCounts) => number> = {
  all: ({ received }) => received,
  read: ({ read }) => read,
  unread: ({ received, read }) => received - read,
};

/** The extent of a whole inbox. */
export const inboxOf = ({ counts, receivedIds }: CountSummary): ListExtent => ({
  count: counts.received,
  span: receivedIds,
});

/** A page of the messages that an account received. The cost does not depend on the size of the inbox. */
export async function listReceived(
  { messages, counts }: MessagesContext,
  userId: number,
  selection: Selection<ReadFilter>,
  page: Page,
): Promise<MessageRecord[]> {
  const summary = await counts.summary(userId);
  const extent = { count: countOf[selection.filter](summary.counts), span: summary.receivedIds };
  return messages.listReceived(userId, selection, extent, page);
}

/** Those of some messages that are in the inbox of an account. */
export const listOwn = async ({ messages }: MessagesContext, userId: number, ids: number[]): Promise<MessageRecord[]> =>
  (await messages.findEach(ids)).filter((message) => message.userId === userId && message.aside === null);

/** A page of the messages that an account published, the pinned ones first. */
export async function listPublic(
  { messages, counts }: MessagesContext,
  userId: number,
  page: Page,
): Promise<MessageRecord[]> {
  const summary = await counts.summary(userId);
  return messages.listPublic(userId, { count: summary.counts.public, span: summary.receivedIds }, page);
}

/** The counts of an account, under both its keys. */
export async function countsOf({ counts, senders }: MessagesContext, userId: number): Promise<MessageCounts> {
  return counts.of(...(await senders.keysOf(userId)));
}

/** Counts what an account wrote to itself, which is among what it received and among what it sent. */
export async function countToSelf(
  { messages, senders }: MessagesContext,
  userId: number,
  { received, sent }: MessageCounts,
): Promise<number> {
  if (received === 0 || sent === 0) return 0;
  return messages.countToSelf(userId, await senders.tagOf(userId));
}

/**
 * A page of the messages that an account sent. The filter is about whether the recipient read them.
 * @param selection `without` leaves out the messages to these accounts
 */
export async function listSent(
  { messages, counts, senders }: MessagesContext,
  senderUserId: number,
  selection: SentSelection,
  page: Page,
): Promise<MessageRecord[]> {
  const sender = await senders.tagOf(senderUserId);
  const summary = await counts.summary(sender);
  return messages.listSent(sender, selection, { count: summary.counts.sent, span: summary.sentIds }, page);
}

/** @throws {AppError} `message_not_found` to anyone but the recipient */
export async function updateMessage(
  context: MessagesContext,
  userId: number,
  id: number,
  set: { isRead?: true; isPublic?: boolean },
  undo?: Undo,
): Promise<MessageRecord> {
  const { messages, outbox } = context;
  const found = await messages.change(id, (message) => {
    requireRecipient(message, userId);
    const { isRead = message.isRead, isPublic = message.isPublic } = set;
    const isUnchanged = isRead === message.isRead && isPublic === message.isPublic;
    if (isUnchanged) return null;
    return {
      set: { ...set, ...(undo && { undo }) },
      events: (change) => [messageUpdated(change, { changesInbox: true })],
    };
  });
  outbox.notify();
  const message = requireRecipient(found, userId);
  if (set.isPublic !== undefined) await updateMedia(context, message);
  return message;
}

/**
 * Deletes a received message for everybody, so that it can be taken back for a while. Until then nobody sees it.
 * @throws {AppError} `message_not_found` to anyone but the recipient, or if it was set aside
 */
export async function hideMessage(context: MessagesContext, userId: number, id: number, undo: Undo): Promise<void> {
  const hidden = await context.messages.change(id, (message) => {
    requireRecipient(message, userId);
    const aside: Aside = { reason: 'deleted', matched: null, at: new Date() };
    return { set: { aside, undo }, events: (change) => [messageUpdated(change, { changesInbox: true })] };
  });
  context.outbox.notify();
  if (hidden === null) throw notFound();
  await updateMedia(context, hidden);
}

/**
 * Deletes a message for everybody when the recipient asks, and from the sender's own list when the sender asks.
 * @throws {AppError} `message_not_found` to anyone else
 */
export async function deleteMessage(context: MessagesContext, userId: number, id: number): Promise<void> {
  const { messages, outbox, senders } = context;
  const sender = await senders.tagOf(userId);
  const message = (await messages.find(id)) ?? (await messages.findSent(id, sender));
  if (message?.userId === userId && message.aside) {
    if (!isShownAside(message.aside)) throw notFound();
    await discard(context, message);
  } else if (message?.userId === userId) {
    await removeForEverybody(context, message);
  } else if (message?.sender === sender && !message.hiddenFromSender) {
    if (message.userId === NOBODY) await removeForEverybody(context, message);
    else
      await messages.change(message.id, ({ hiddenFromSender }) =>
        hiddenFromSender ? null : { set: { hiddenFromSender: true }, events: (change) => [messageUpdated(change)] },
      );
  } else {
    throw notFound();
  }
  outbox.notify();
}

/**
 * Removes a message that was set aside. The recipient never sees it again. For its sender it stays behind the way back, and
 * in the list of sent messages, as any unread message does: if it vanished, it would give the block away.
 */
export async function discard(context: MessagesContext, message: MessageRecord): Promise<void> {
  const isListed = message.sender !== null && !message.hiddenFromSender;
  if (!isListed && message.wayBack === undefined)
    await removeForEverybody(context, message, ({ aside }) => {
      if (aside === null) throw notFound();
    }).catch((error: unknown) => {
      // Its recipient has just moved it into the inbox.
      if (!(error instanceof AppError && error.code === 'message_not_found')) throw error;
    });
  else
    await context.messages.change(message.id, ({ aside }) =>
      aside === null || aside.discardedAt
        ? null
        : {
            set: { aside: discarded(aside) },
            events: (change) => [messageUpdated(change, { changesInbox: true })],
          },
    );
}

/** @param check may refuse by throwing, by the message as it is when it is removed */
export async function removeForEverybody(
  context: MessagesContext,
  message: MessageRecord,
  check: (current: MessageRecord) => void = () => undefined,
): Promise<void> {
  let deletion = deletionOf(message);
  await context.messages.remove(message.id, (current) => {
    check(current);
    deletion = deletionOf(current);
    return messageDeleted(deletion);
  });
  if (hasMedia(message)) await notifyMedia(context, { $case: 'deleted', value: deletion });
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
  const reply: ReplyRecord = { id: randomId(), content, createdAt: new Date(), submission };
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
      events: (change) =>
        message.isRead ? [replySaved(change)] : [replySaved(change), messageUpdated(change, { changesInbox: true })],
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
  { messages, senders, auth }: MessagesContext,
  userId: number | undefined,
  messageId: number,
): Promise<ReplyRecord | null> {
  const sender = userId === undefined ? undefined : await senders.tagOf(userId);
  const message =
    (await messages.find(messageId)) ?? (sender === undefined ? null : await messages.findSent(messageId, sender));
  if (message === null) throw notFound();
  const isSender = message.sender === sender;
  const isRemoved = message.aside !== null && !isShownAside(message.aside);
  if (!isSender && (isRemoved || !(message.isPublic || message.userId === userId))) throw notFound();
  if (message.userId !== userId && (await auth.findUser(message.userId)) === undefined) throw notFound();
  return message.reply;
}

/**
 * A published message and its recipient.
 * @throws {AppError} `message_not_found` for any other message, and if the account is gone
 */
export async function readPublic(
  { messages, auth }: MessagesContext,
  id: number,
): Promise<{ message: MessageRecord; recipient: User }> {
  const message = await messages.find(id);
  if (message?.isPublic !== true || message.aside) throw notFound();
  const recipient = await auth.findUser(message.userId);
  if (recipient === undefined) throw notFound();
  return { message, recipient };
}

export const notFound = (): AppError =>
  new AppError({ code: 'message_not_found', message: 'There is no such message.' });

/** Answers the same for another account's message, a missing one, and one that is set aside. */
export function requireRecipient(message: MessageRecord | null, userId: number): MessageRecord {
  if (message?.userId !== userId || message.aside) throw notFound();
  return message;
}

/**
 * A message that an account received, set aside or not.
 * @throws {AppError} `message_not_found`
 */
export async function findReceived({ messages }: MessagesContext, userId: number, id: number): Promise<MessageRecord> {
  const message = await messages.find(id);
  if (message?.userId !== userId || (message.aside && !isShownAside(message.aside))) throw notFound();
  return message;
}

/** Applies who may see the files of a message now. */
export async function updateMedia(context: MessagesContext, message: MessageRecord): Promise<void> {
  if (hasMedia(message)) await notifyMedia(context, { $case: 'updated', value: updateOf(message) });
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
