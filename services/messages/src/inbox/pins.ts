import { AppError } from '@najwa/common';
import { LIMITS } from '@najwa/proto/http';
import type { MessagesContext } from '../context.js';
import { isPublished, type MessageRecord, type Pin } from '../store/message-record.js';
import { messageUpdated } from '../store/events.js';
import { requireRecipient } from './inbox.js';

/** The messages at the top of an account's page, in their order. */
export const listPinned = async ({ messages }: MessagesContext, userId: number): Promise<MessageRecord[]> =>
  (await messages.findPinned(userId)).slice(0, LIMITS.pinned);

/**
 * Replaces the pinned messages of an account. Concurrent calls may exceed the limit; the next call removes the surplus.
 * @throws {AppError} `message_not_found`, `not_public`
 */
export async function pinMessages(
  context: MessagesContext,
  userId: number,
  ids: readonly number[],
): Promise<MessageRecord[]> {
  const { messages, outbox } = context;
  const found = new Map((await messages.findEach([...ids])).map((message) => [message.id, message]));
  for (const id of ids) requirePublished(found.get(id) ?? null, userId);
  const earlier = await messages.findPinned(userId);
  for (const { id } of earlier) if (!ids.includes(id)) await setPin(context, id, null);
  for (const [place, id] of ids.entries())
    requirePublished(await setPin(context, id, { owner: userId, place }), userId);
  outbox.notify();
  return listPinned(context, userId);
}

const setPin = ({ messages }: MessagesContext, id: number, pin: Pin | null): Promise<MessageRecord | null> =>
  messages.change(id, (message) => {
    const isUnchanged = (message.pin?.place ?? null) === (pin?.place ?? null);
    if (isUnchanged || (pin !== null && !isPublished(message))) return null;
    return { set: { pin }, events: (change) => [messageUpdated(change, { changesInbox: true })] };
  });

function requirePublished(message: MessageRecord | null, userId: number): void {
  if (!isPublished(requireRecipient(message, userId)))
    throw new AppError({ code: 'not_public', message: 'Only published messages can be pinned.' });
}
