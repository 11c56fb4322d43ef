import type { OutboxRelay } from '@najwa/common/amqp';
import { messageUpdated } from '../store/events.js';
import { placeOf, type MessageRecord } from '../store/message-record.js';
import type { MessageRepository } from '../store/messages.js';

/**
 * Idempotent. The sender's ending also takes the way back, and shows only when the recipient reads again.
 * @param turns all that are left of the conversation
 */
export async function endTurns(
  { messages }: { messages: MessageRepository },
  turns: MessageRecord[],
  by: 'sender' | 'recipient',
): Promise<void> {
  const isBySender = by === 'sender';
  await messages.changeEach(turns, (message) =>
    message.conversation?.hasEnded && !(isBySender && message.wayBack !== undefined)
      ? null
      : {
          set: {
            conversation: { ...placeOf(message), hasEnded: true },
            ...(isBySender && { wayBack: undefined }),
          },
          events: (change) => [
            messageUpdated(change, {
              ...(!isBySender && { changesInbox: message.aside === null }),
              ...(!isBySender && message.id === turns[0]?.id && { endedSentId: placeOf(message).sentId }),
            }),
          ],
        },
  );
}

/** A deletion by the recipient is no answer, so nothing may follow a deleted last message. */
export async function endWithLast(
  deps: { messages: MessageRepository },
  { id, conversation }: MessageRecord,
): Promise<void> {
  if (conversation === undefined) return;
  const turns = await deps.messages.findConversation(conversation.id);
  // Of those that the recipient may have seen.
  const last = turns.findLast(
    ({ aside, id: own }) => own === id || (aside?.reason !== 'held' && aside?.reason !== 'later'),
  );
  if (turns.length > 1 && last?.id === id) await endTurns(deps, turns, 'recipient');
}

/** The first message belongs to a conversation once its recipient sees the second. Idempotent. */
export async function joinFirst(
  { messages, outbox }: { messages: MessageRepository; outbox: OutboxRelay },
  id: number,
): Promise<void> {
  await messages.change(id, (message) =>
    message.conversation
      ? null
      : {
          set: { conversation: placeOf(message) },
          events: (change) => [messageUpdated(change, { changesInbox: true })],
        },
  );
  outbox.notify();
}
