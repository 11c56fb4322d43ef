import { randomId } from '@najwa/common';
import type { OutboxEntry, OutboxRelay } from '@najwa/common/amqp';
import { AppError } from '@najwa/common/errors';
import { requireSameContent, type Submission } from '@najwa/common/limits';
import type { DataKeys } from '@najwa/product';
import type { User } from '@najwa/proto/auth';
import type { MessageDeleted } from '@najwa/proto/events';
import type { AuthClient } from '../clients/auth.js';
import type { MediaClient } from '../clients/media.js';
import { endWithLast } from '../conversations/ending.js';
import type { CountRepository, MessageCounts } from '../store/counts.js';
import { deletionOf, messageDeleted, messageUpdated, replySaved, updateOf } from '../store/events.js';
import {
  asSent,
  changeOf,
  discarded,
  isLater,
  isShownAside,
  NO_ACCOUNT,
  type Change,
  type MessageRecord,
  type ReplacedReply,
  type ReplyRecord,
} from '../store/message-record.js';
import type { MessageRepository } from '../store/messages.js';
import type { SenderVault } from '../store/sender-vault.js';
import type { ReplyKeyRepository } from '../store/submissions.js';
import type { Timers } from '../timers.js';
import type { InboxStore } from './inbox-store.js';

export interface InboxDeps {
  messages: MessageRepository;
  inbox: InboxStore;
  counts: CountRepository;
  replyKeys: ReplyKeyRepository;
  senders: SenderVault;
  dataKeys: DataKeys;
  outbox: OutboxRelay;
  auth: AuthClient;
  media: MediaClient;
  deletions: Timers;
}

export type MessageDeps = Pick<InboxDeps, 'messages' | 'media'>;

export const listOwn = async ({ messages }: InboxDeps, userId: number, ids: number[]): Promise<MessageRecord[]> =>
  (await messages.findEach(ids)).filter((message) => message.userId === userId && message.aside === null);

/** Under both keys of the account. */
export async function countsOf(
  { counts, senders }: Pick<InboxDeps, 'counts' | 'senders'>,
  userId: number,
): Promise<MessageCounts> {
  return counts.of(...(await senders.keysOf(userId)));
}

/** Messages to oneself count as received and as sent. */
export async function countToSelf(
  { inbox, senders }: InboxDeps,
  userId: number,
  { received, sent }: MessageCounts,
): Promise<number> {
  if (received === 0 || sent === 0) return 0;
  return inbox.countToSelf(userId, await senders.tagOf(userId));
}

/** @throws {AppError} `message_not_found` unless the caller is the recipient */
export async function updateMessage(
  deps: InboxDeps,
  userId: number,
  id: number,
  set: { isRead?: true; isPublic?: boolean },
): Promise<MessageRecord> {
  const { messages, outbox } = deps;
  const found = await messages.change(id, (message) => {
    requireRecipient(message, userId);
    const { isRead = message.isRead, isPublic = message.isPublic } = set;
    const isUnchanged = isRead === message.isRead && isPublic === message.isPublic;
    if (isUnchanged) return null;
    return {
      set,
      events: (change) => [messageUpdated(change, { changesInbox: true })],
    };
  });
  outbox.notify();
  const message = requireRecipient(found, userId);
  if (set.isPublic !== undefined) await updateMedia(deps, message);
  return message;
}

/**
 * The recipient deletes for everyone, the sender from the sent list.
 * @throws {AppError} `message_not_found` to others
 */
export async function deleteMessage(deps: InboxDeps, userId: number, id: number): Promise<void> {
  const { messages, outbox, senders } = deps;
  const sender = await senders.tagOf(userId);
  const message = (await messages.find(id)) ?? (await messages.findSent(id, sender));
  const isSender = message !== null && isSentAs(message, id, sender);
  if (isSender && isLater(message)) {
    await removeForEverybody(deps, message, (current) => {
      if (!isLater(current)) throw notFound();
    });
  } else if (message?.userId === userId && message.aside) {
    if (!isShownAside(message.aside)) throw notFound();
    await discard(deps, message);
  } else if (message?.userId === userId) {
    await endWithLast(deps, message);
    await removeForEverybody(deps, message);
  } else if (isSender && !message.hiddenFromSender) {
    if (message.userId === NO_ACCOUNT) await removeForEverybody(deps, message);
    else
      await messages.change(message.id, ({ hiddenFromSender }) =>
        hiddenFromSender ? null : { set: { hiddenFromSender: true }, events: (change) => [messageUpdated(change)] },
      );
  } else {
    throw notFound();
  }
  outbox.notify();
}

/** The sender still sees it as unread: vanishing would reveal the block. Deleted if the sender has no access left. */
export async function discard(deps: MessageDeps, message: MessageRecord): Promise<void> {
  const eventOf = (change: Change, { aside }: MessageRecord): OutboxEntry =>
    messageUpdated(change, { changesInbox: aside !== null && isShownAside(aside) });
  const isListed = message.sender !== null && !message.hiddenFromSender;
  if (!isListed && message.wayBack === undefined)
    await isFound(
      remove(deps, message, (current) => {
        // Just moved to the inbox.
        if (current.aside === null) throw notFound();
        const after = { ...current, content: '', aside: discarded(current.aside) };
        return { deletion: deletionOf(after), events: [eventOf(changeOf(current, after), current)] };
      }),
    );
  else
    await deps.messages.change(message.id, (current) =>
      current.aside === null || current.aside.discardedAt
        ? null
        : {
            set: { aside: discarded(current.aside) },
            events: (change) => [eventOf(change, current)],
          },
    );
}

/** @param check may refuse by throwing */
export const removeForEverybody = (
  deps: MessageDeps,
  message: MessageRecord,
  check: (current: MessageRecord) => void = () => undefined,
): Promise<void> =>
  remove(deps, message, (current) => {
    check(current);
    return { deletion: deletionOf(current), events: [] };
  });

async function remove(
  { messages, media }: MessageDeps,
  message: MessageRecord,
  decide: (current: MessageRecord) => { deletion: MessageDeleted; events: OutboxEntry[] },
): Promise<void> {
  let deletion: MessageDeleted | undefined;
  await messages.remove(message.id, (current) => {
    const decided = decide(current);
    ({ deletion } = decided);
    return [...decided.events, messageDeleted(deletion)];
  });
  // Deleted or delivered meanwhile.
  if (deletion === undefined) throw notFound();
  if (hasMedia(message)) await media.followMessage({ $case: 'deleted', value: deletion });
}

/**
 * Idempotent per submission, even after another reply.
 * @throws {AppError} `message_not_found` unless the caller is the recipient, `idempotency_conflict`
 */
export async function replyToMessage(
  { messages, replyKeys, outbox }: InboxDeps,
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

/** Retries come soon, so a few suffice. */
const MAX_REPLACED_REPLIES = 10;

function withReplaced(earlier: ReplacedReply[] = [], { id, createdAt, submission }: ReplyRecord): ReplacedReply[] {
  return [{ id, createdAt, submission }, ...earlier].slice(0, MAX_REPLACED_REPLIES);
}

/** Compares the original id: that of the delivery would reveal that the message was held. */
const isSentAs = (message: MessageRecord, id: number, sender: string): boolean =>
  message.sender === sender && asSent(message).id === id;

/** Also after it was deleted from the list of sent messages. */
export async function findOwnSent(
  { messages }: MessageDeps,
  id: number,
  sender: string,
): Promise<MessageRecord | null> {
  const message = (await messages.find(id)) ?? (await messages.findSent(id, sender));
  return message && isSentAs(message, id, sender) ? message : null;
}

export async function listSentEach(deps: MessageDeps, sender: string, ids: number[]): Promise<MessageRecord[]> {
  const found = await Promise.all(ids.map((id) => findOwnSent(deps, id, sender)));
  return found.flatMap((message) => (message && !message.hiddenFromSender ? [asSent(message)] : []));
}

/**
 * For recipient and sender, or everyone if public.
 * @throws {AppError} `message_not_found`
 */
export async function readReply(
  { messages, senders, auth }: InboxDeps,
  userId: number | undefined,
  messageId: number,
): Promise<ReplyRecord | null> {
  const sender = userId === undefined ? undefined : await senders.tagOf(userId);
  const message =
    (await messages.find(messageId)) ?? (sender === undefined ? null : await messages.findSent(messageId, sender));
  if (message === null) throw notFound();
  const isSender = sender !== undefined && isSentAs(message, messageId, sender);
  const isRemoved = message.aside !== null && !isShownAside(message.aside);
  if (!isSender && (isRemoved || !(message.isPublic || message.userId === userId))) throw notFound();
  if (message.userId !== userId && (await auth.findUser(message.userId)) === undefined) throw notFound();
  return message.reply;
}

/** @throws {AppError} `message_not_found` unless it is published and the account open */
export async function readPublic(
  { messages, auth }: InboxDeps,
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

/** @returns false on `message_not_found` */
export async function isFound(change: Promise<unknown>): Promise<boolean> {
  try {
    await change;
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'message_not_found') return false;
    throw error;
  }
}

/** Same error for missing, foreign and set-aside messages. */
export function requireRecipient(message: MessageRecord | null, userId: number): MessageRecord {
  if (message?.userId !== userId || message.aside) throw notFound();
  return message;
}

/** @throws {AppError} `message_not_found` */
export async function findReceived(
  { messages }: Pick<InboxDeps, 'messages'>,
  userId: number,
  id: number,
): Promise<MessageRecord> {
  const message = await messages.find(id);
  if (message?.userId !== userId || (message.aside && !isShownAside(message.aside))) throw notFound();
  return message;
}

/** Applies file permissions ahead of the event. */
export async function updateMedia({ media }: InboxDeps, message: MessageRecord): Promise<void> {
  if (hasMedia(message)) await media.followMessage({ $case: 'updated', value: updateOf(message) });
}

const hasMedia = ({ imageName, audio }: MessageRecord): boolean => imageName !== null || audio !== null;
