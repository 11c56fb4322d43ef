import { AppError } from '@najwa/common/errors';
import { LIMITS } from '@najwa/proto/http';
import { messageUpdated } from '../store/events.js';
import { isPublished, type MessageRecord, type Pin } from '../store/message-record.js';
import { requireRecipient, type InboxDeps } from './inbox.js';

export const listPinned = async ({ inbox }: InboxDeps, userId: number): Promise<MessageRecord[]> =>
  (await inbox.findPinned(userId)).slice(0, LIMITS.pinned);

/**
 * Concurrent calls may exceed the limit; the next one removes the surplus.
 * @throws {AppError} `message_not_found`, `not_public`
 */
export async function pinMessages(deps: InboxDeps, userId: number, ids: readonly number[]): Promise<MessageRecord[]> {
  const { messages, inbox, outbox } = deps;
  const found = new Map((await messages.findEach([...ids])).map((message) => [message.id, message]));
  for (const id of ids) requirePublished(found.get(id) ?? null, userId);
  const earlier = await inbox.findPinned(userId);
  for (const { id } of earlier) if (!ids.includes(id)) await setPin(deps, id, null);
  for (const [place, id] of ids.entries()) requirePublished(await setPin(deps, id, { owner: userId, place }), userId);
  outbox.notify();
  return listPinned(deps, userId);
}

const setPin = ({ messages }: InboxDeps, id: number, pin: Pin | null): Promise<MessageRecord | null> =>
  messages.change(id, (message) => {
    const isUnchanged = (message.pin?.place ?? null) === (pin?.place ?? null);
    if (isUnchanged || (pin !== null && !isPublished(message))) return null;
    return { set: { pin }, events: (change) => [messageUpdated(change, { changesInbox: true })] };
  });

function requirePublished(message: MessageRecord | null, userId: number): void {
  if (!isPublished(requireRecipient(message, userId)))
    throw new AppError({ code: 'not_public', message: 'Only published messages can be pinned.' });
}
