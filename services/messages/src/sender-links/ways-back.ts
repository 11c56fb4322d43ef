import { createHash, randomBytes } from 'node:crypto';
import type { OutboxRelay } from '@najwa/common/amqp';
import { AppError } from '@najwa/common/errors';
import type { ThinnedRateLimiter } from '@najwa/common/limits';
import type { DataKeys } from '@najwa/product';
import { RETENTION } from '@najwa/proto/http';
import { hidesReadingOf, type AuthClient } from '../clients/auth.js';
import type { MediaClient } from '../clients/media.js';
import type { Limits } from '../config.js';
import { endTurns } from '../conversations/ending.js';
import { notFound, removeForEverybody } from '../inbox/inbox.js';
import { turnIdOf, type WayBack } from '../inbox/present.js';
import { asSent, isLater, placeOf, type MessageRecord } from '../store/message-record.js';
import type { MessageRepository } from '../store/messages.js';

const TOKEN_BYTES = 16;
const TOKEN = /^[A-Za-z0-9_-]{22}$/;

/** Without read receipts, senders may delete for this long, read or not. */
const DELETABLE_MS = RETENTION.wayBackDeletionMinutes * 60 * 1000;

const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** Only the hash is stored. */
export function newWayBack(token = randomBytes(TOKEN_BYTES).toString('base64url')): { token: string; hash: string } {
  return { token, hash: hashOf(token) };
}

export interface SenderLinksDeps {
  messages: MessageRepository;
  outbox: OutboxRelay;
  auth: AuthClient;
  media: MediaClient;
  dataKeys: DataKeys;
  forgetBrowsersOfMessage: (messageId: number) => Promise<void>;
  /** Per network. */
  wayBackMisses: ThinnedRateLimiter;
}

export interface WayBackCaller {
  token: string;
  network: string;
}

/** Publishing or answering implies reading. */
const wasRead = ({ isRead, isPublic, reply }: MessageRecord): boolean => isRead || isPublic || reply !== null;

const isDeletable = (message: MessageRecord, hidesReading: boolean): boolean =>
  isLater(message) || (hidesReading ? Date.now() - message.createdAt.getTime() < DELETABLE_MS : !wasRead(message));

/**
 * A message set aside looks unread.
 * @throws {AppError} `message_not_found` for a bad token, and once message or recipient is gone
 */
export async function findWayBack(
  { messages, auth }: Pick<SenderLinksDeps, 'messages' | 'auth'>,
  token: string,
): Promise<WayBack> {
  return wayBackOf({ auth }, TOKEN.test(token) ? await messages.findByWayBack(hashOf(token)) : []);
}

/**
 * @param found a message and all that follow it
 * @throws {AppError} `message_not_found`
 */
export async function wayBackOf({ auth }: Pick<SenderLinksDeps, 'auth'>, found: MessageRecord[]): Promise<WayBack> {
  // A deletion that can be undone hides a message, and leaves its turn taken.
  const turns = found.filter(({ aside }) => aside?.reason !== 'deleted');
  const [first, last, newest] = [turns[0], turns.at(-1), found.at(-1)];
  const recipient = first && (await auth.findUser(first.userId));
  if (first === undefined || last === undefined || recipient === undefined) throw notFound();
  const message = asSent(first);
  const hidesReading = hidesReadingOf(recipient);
  const isTaken = recipient.receiving?.takesNoMore !== true;
  const hasEnded = found.some(({ conversation }) => conversation?.hasEnded) || (!isTaken && turns.length > 1);
  return {
    id: placeOf(first).sentId,
    message,
    recipient,
    isRead: hidesReading ? null : wasRead(message),
    isLastRead: hidesReading ? null : wasRead(last),
    canDelete: isDeletable(asSent(last), hidesReading),
    turns,
    hasEnded,
    canWrite: isTaken && !hasEnded && newest === last && last.reply !== null,
  };
}

/**
 * Counts misses per network and hits per token: counting both per network would reveal to neighbours that a way back is
 * open.
 * @throws {AppError} `message_not_found`, `too_many_requests`
 */
export async function openWayBack(
  deps: Pick<SenderLinksDeps, 'messages' | 'auth' | 'wayBackMisses'>,
  limits: Limits<'wayBack'>,
  { token, network }: WayBackCaller,
): Promise<WayBack> {
  const { wayBackMisses } = deps;
  wayBackMisses.refuseUsedUp(network);
  const found = await findWayBack(deps, token).catch(async (error: unknown) => {
    if (error instanceof AppError && error.code === 'message_not_found') await wayBackMisses.consume(network);
    throw error;
  });
  await limits.wayBack.consume(hashOf(token));
  return found;
}

/** @throws {AppError} `message_not_found`, `too_many_requests`, `already_read`, `too_late` */
export async function deleteByWayBack(
  deps: SenderLinksDeps,
  limits: Limits<'wayBack'>,
  caller: WayBackCaller,
): Promise<void> {
  const { turns, recipient } = await openWayBack(deps, limits, caller);
  const hidesReading = hidesReadingOf(recipient);
  const [last] = turns.slice(-1);
  if (last === undefined) throw notFound();
  await removeForEverybody(deps, last, (current) => {
    if (isDeletable(asSent(current), hidesReading)) return;
    throw hidesReading
      ? new AppError({ code: 'too_late', message: 'The time for deleting this message is over.' })
      : new AppError({ code: 'already_read', message: 'The message was read before.' });
  });
  deps.outbox.notify();
}

/** @throws {AppError} `message_not_found`, `too_many_requests` */
export async function endByWayBack(
  deps: SenderLinksDeps,
  limits: Limits<'wayBack'>,
  caller: WayBackCaller,
): Promise<void> {
  const { turns, id } = await openWayBack(deps, limits, caller);
  await endTurns(deps, turns, 'sender');
  deps.outbox.notify();
  await deps.forgetBrowsersOfMessage(id);
}

/** By name, because media's permissions know no tokens. */
export async function openWayBackFile(
  deps: SenderLinksDeps,
  limits: Limits<'wayBack'>,
  caller: WayBackCaller,
  { kind, turn = 1 }: { kind: 'image' | 'audio'; turn: number | undefined },
): Promise<{ content: Buffer; contentType: string }> {
  const { message: first, turns } = await openWayBack(deps, limits, caller);
  const message = turn === 1 ? first : turns.find((one) => turnIdOf(one) === turn);
  const name = kind === 'image' ? message?.imageName : message?.audio?.name;
  if (name == null) throw new AppError({ code: 'media_not_found', message: 'The message has no such file.' });
  return kind === 'image' ? deps.media.getImage({ name }) : deps.media.getSound({ name });
}
