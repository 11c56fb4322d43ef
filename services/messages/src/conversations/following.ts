import { AppError } from '@najwa/common/errors';
import { findOwnSent, notFound } from '../inbox/inbox.js';
import type { WayBack } from '../inbox/present.js';
import { wayBackOf } from '../sender-links/ways-back.js';
import type { EarlierSenders } from '../safety/judge.js';
import type { Following, SendingDeps } from '../sending/admission.js';
import { placeOf, type MessageRecord } from '../store/message-record.js';
import { notYourTurn } from '../store/messages.js';

const ended = (): AppError =>
  new AppError({ code: 'conversation_ended', message: 'Nothing more is taken in this conversation.' });

/** @throws {AppError} `conversation_ended`, `not_your_turn` */
export function requireTurn({ canWrite, hasEnded, recipient }: WayBack): void {
  if (hasEnded || recipient.receiving?.takesNoMore === true) throw ended();
  if (!canWrite) throw notYourTurn();
}

/**
 * Of a message that the account sent, the first or a later one.
 * @throws {AppError} `message_not_found`, `conversation_ended`
 */
export async function findOwnConversation(deps: SendingDeps, userId: number, id: number): Promise<WayBack> {
  const message = await findOwnSent(deps, id, await deps.senders.tagOf(userId));
  if (message === null) throw notFound();
  const found = message.wayBack === undefined ? [message] : await deps.messages.findByWayBack(message.wayBack);
  const conversation = await wayBackOf(deps, found);
  if (message.wayBack === undefined) throw ended();
  return conversation;
}

/** After `requireTurn`. Saving takes the turn, or finds it taken. */
export async function followingOf({ senders }: SendingDeps, { turns }: WayBack): Promise<Following> {
  const [first, last] = [turns[0], turns.at(-1)];
  if (first?.wayBack === undefined || last === undefined) throw notFound();
  const { id, sentId, turn } = placeOf(last);
  return {
    userId: last.userId,
    wayBack: first.wayBack,
    conversation: { id, sentId, turn: turn + 1 },
    earlier: await earlierSenders({ senders }, turns),
  };
}

/** Of the conversation so far. */
export const earlierSenders = async (
  { senders }: Pick<SendingDeps, 'senders'>,
  turns: MessageRecord[],
): Promise<EarlierSenders> => ({
  tags: turns.flatMap(({ tags }) => tags ?? []),
  known: await Promise.all(turns.slice(0, 1).map((first) => senders.senderOf(first))),
});
