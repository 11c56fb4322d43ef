import { findReceived, type InboxDeps } from '../inbox/inbox.js';
import { wayBackOf } from '../sender-links/ways-back.js';
import { asSent, placeOf, type MessageRecord } from '../store/message-record.js';
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

/** @param message as its sender knows it, with a recipient */
export async function canFollow(deps: InboxDeps, { id, reply, wayBack }: MessageRecord): Promise<boolean> {
  if (reply === null || wayBack === undefined) return false;
  const found = await deps.messages.findByWayBack(wayBack);
  return found.map(asSent).at(-1)?.id === id && (await wayBackOf(deps, found)).canWrite;
}

/** @throws {AppError} `message_not_found` */
export async function endConversation(deps: InboxDeps, userId: number, id: number): Promise<void> {
  const message = await findReceived(deps, userId, id);
  await endTurns(deps, await deps.messages.findConversation(placeOf(message).id), 'recipient');
  deps.outbox.notify();
}
