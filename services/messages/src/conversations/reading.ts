import { findReceived, type InboxDeps } from '../inbox/inbox.js';
import { placeOf, type MessageRecord } from '../store/message-record.js';
import { endTurns } from './ending.js';

/**
 * What its recipient sees of it, and the message itself if it is set aside.
 * @throws {AppError} `message_not_found`
 */
export async function readConversation(deps: InboxDeps, userId: number, id: number): Promise<MessageRecord[]> {
  const message = await findReceived(deps, userId, id);
  const turns = await deps.messages.findConversation(placeOf(message).id);
  return turns.filter(({ aside, id: own }) => aside === null || own === id);
}

/** @throws {AppError} `message_not_found` */
export async function endConversation(deps: InboxDeps, userId: number, id: number): Promise<void> {
  const message = await findReceived(deps, userId, id);
  await endTurns(deps, await deps.messages.findConversation(placeOf(message).id), 'recipient');
  deps.outbox.notify();
}
