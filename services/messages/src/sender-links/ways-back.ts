import { createHash, randomBytes } from 'node:crypto';
import type { OutboxRelay } from '@najwa/common/amqp';
import { AppError } from '@najwa/common/errors';
import type { ThinnedRateLimiter } from '@najwa/common/limits';
import type { DataKeys } from '@najwa/product';
import { RETENTION } from '@najwa/proto/http';
import { hidesReadingOf, type AuthClient } from '../clients/auth.js';
import type { MediaClient } from '../clients/media.js';
import type { Limits } from '../config.js';
import { notFound, removeForEverybody } from '../inbox/inbox.js';
import type { WayBack } from '../inbox/present.js';
import { asSent, type MessageRecord } from '../store/message-record.js';
import type { MessageRepository } from '../store/messages.js';

const TOKEN_BYTES = 16;
const TOKEN = /^[A-Za-z0-9_-]{22}$/;

/** Without read receipts, a sender may delete a message for this long, read or not. */
const DELETABLE_MS = RETENTION.wayBackDeletionMinutes * 60 * 1000;

const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** A token for the sender, of which only the hash is stored. */
export function newWayBack(token = randomBytes(TOKEN_BYTES).toString('base64url')): { token: string; hash: string } {
  return { token, hash: hashOf(token) };
}

/** Needs of ways back. */
export interface SenderLinksDeps {
  messages: MessageRepository;
  outbox: OutboxRelay;
  auth: AuthClient;
  media: MediaClient;
  dataKeys: DataKeys;
  /** Of networks. */
  wayBackMisses: ThinnedRateLimiter;
}

/** A token, and the network that asks, as limits count it. */
export interface WayBackCaller {
  token: string;
  network: string;
}

/** A published or answered message was read as well. What is set aside can be neither. */
const wasRead = ({ isRead, isPublic, reply }: MessageRecord): boolean => isRead || isPublic || reply !== null;

const isDeletable = (message: MessageRecord, hidesReading: boolean): boolean =>
  hidesReading ? Date.now() - message.createdAt.getTime() < DELETABLE_MS : !wasRead(message);

/**
 * The message behind a token. One that is set aside looks as any unread message does.
 * @throws {AppError} `message_not_found` for an unknown or malformed token, and once the message or its recipient is gone
 */
export async function findWayBack(
  { messages, auth }: Pick<SenderLinksDeps, 'messages' | 'auth'>,
  token: string,
): Promise<WayBack> {
  const found = TOKEN.test(token) ? await messages.findByWayBack(hashOf(token)) : null;
  const recipient = found === null ? undefined : await auth.findUser(found.userId);
  if (found === null || recipient === undefined) throw notFound();
  const message = asSent(found);
  const hidesReading = hidesReadingOf(recipient);
  return {
    id: found.id,
    message,
    recipient,
    isRead: hidesReading ? null : wasRead(message),
    canDelete: isDeletable(message, hidesReading),
  };
}

/**
 * The same, counted: a miss by the network and a hit by the token. A limit of the network for both would tell its
 * neighbours that somebody there opens a way back.
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

/**
 * Deletes a message for everybody, as its recipient could.
 * @throws {AppError} `message_not_found`, `too_many_requests`, `already_read`, `too_late`
 */
export async function deleteByWayBack(
  deps: SenderLinksDeps,
  limits: Limits<'wayBack'>,
  caller: WayBackCaller,
): Promise<void> {
  const { id, message, recipient } = await openWayBack(deps, limits, caller);
  const hidesReading = hidesReadingOf(recipient);
  await removeForEverybody(deps, { ...message, id }, (current) => {
    if (isDeletable(asSent(current), hidesReading)) return;
    throw hidesReading
      ? new AppError({ code: 'too_late', message: 'The time for deleting this message is over.' })
      : new AppError({ code: 'already_read', message: 'The message was read before.' });
  });
  deps.outbox.notify();
}

/** The files of a message, for whoever has the token. Media is asked by name, and its own rules know nothing of tokens. */
export async function openWayBackFile(
  deps: SenderLinksDeps,
  limits: Limits<'wayBack'>,
  caller: WayBackCaller,
  kind: 'image' | 'audio',
): Promise<{ content: Buffer; contentType: string }> {
  const { message } = await openWayBack(deps, limits, caller);
  const name = kind === 'image' ? message.imageName : message.audio?.name;
  if (name == null) throw new AppError({ code: 'media_not_found', message: 'The message has no such file.' });
  return kind === 'image' ? deps.media.getImage({ name }) : deps.media.getSound({ name });
}
