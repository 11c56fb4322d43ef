import { createHash, randomBytes } from 'node:crypto';
import { AppError } from '@najwa/common/errors';
import { LIMITS } from '@najwa/proto/http';
import { messageUpdated } from '../store/events.js';
import type { BulkAction, MessageChange, MessageRecord, Undo } from '../store/message-record.js';
import { hideMessage, notFound, removeForEverybody, updateMedia, updateMessage, type InboxDeps } from './inbox.js';

const UNDO_MS = LIMITS.undoSeconds * 1000;

/** For the change itself, and for the ways of the answer and of the call that takes it back. */
const MARGIN_MS = 5_000;

const CONCURRENCY = 10;
const BATCH = 100;
const TOKEN_BYTES = 16;

const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** The token begins with its time, by which an index finds the messages. */
const newToken = (until: Date): string => `${until.getTime()}.${randomBytes(TOKEN_BYTES).toString('base64url')}`;

export interface BulkChange {
  /** The messages that are now as was asked, whether they had to be changed or not. */
  done: number[];
  token: string;
  until: Date;
}

/**
 * Changes received messages, each on its own. Others, and those that were set aside, stay as they are, and so does what is left
 * once a change fails.
 * @throws what the first change failed with, if none was done
 */
export async function changeMessages(
  deps: InboxDeps,
  userId: number,
  ids: readonly number[],
  action: BulkAction,
): Promise<BulkChange> {
  const until = new Date(Date.now() + UNDO_MS + MARGIN_MS);
  const token = newToken(until);
  const undo: Undo = { action, by: hashOf(token), until };
  const done = new Set<number>();
  let failed: PromiseRejectedResult | undefined;
  for (let from = 0; from < ids.length && failed === undefined; from += CONCURRENCY) {
    const changes = ids.slice(from, from + CONCURRENCY).map(async (id) => {
      if (await isFound(changeOne(deps, userId, id, undo))) done.add(id);
    });
    failed = (await Promise.allSettled(changes)).find(({ status }) => status === 'rejected') as typeof failed;
  }
  if (action === 'delete') deps.deletions.schedule(until);
  // An error has no token, by which what was done could be taken back.
  if (failed !== undefined && done.size === 0) throw failed.reason;
  return {
    done: ids.filter((id) => done.has(id)),
    token,
    until: new Date(Math.min(until.getTime(), Date.now() + UNDO_MS)),
  };
}

function changeOne(deps: InboxDeps, userId: number, id: number, undo: Undo): Promise<unknown> {
  switch (undo.action) {
    case 'read':
      return updateMessage(deps, userId, id, { isRead: true }, undo);
    case 'publish':
      return updateMessage(deps, userId, id, { isPublic: true }, undo);
    case 'unpublish':
      return updateMessage(deps, userId, id, { isPublic: false }, undo);
    case 'delete':
      return hideMessage(deps, userId, id, undo);
  }
}

/** @returns false if the message is not the caller's to change */
async function isFound(change: Promise<unknown>): Promise<boolean> {
  try {
    await change;
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'message_not_found') return false;
    throw error;
  }
}

/** The change that takes the latest one back. Null if nothing is left to take back. */
function revertedBy({ undo, aside, isPublic, isRead, reply }: MessageRecord): MessageChange['set'] | null {
  const pin = undo?.pin && { pin: undo.pin };
  switch (undo?.action) {
    case 'read':
      // A message with a reply was read.
      return isRead && reply === null ? { isRead: false } : null;
    case 'publish':
      return isPublic ? { isPublic: false } : null;
    case 'unpublish':
      return isPublic ? null : { isPublic: true, ...pin };
    case 'delete':
      return aside?.reason === 'deleted' ? { aside: null, ...pin } : null;
    case undefined:
      return null;
  }
}

/**
 * Takes a change of many messages back. Repeating it changes nothing.
 * @throws {AppError} `undo_expired` for an unknown token, and once the time is over
 */
export async function undoChange(deps: InboxDeps, userId: number, token: string): Promise<MessageRecord[]> {
  const { messages, inbox, outbox } = deps;
  const until = new Date(Number(/^(\d{13})\./.exec(token)?.[1] ?? 0));
  const by = hashOf(token);
  const found = until > new Date() ? await inbox.findUndo(until, by) : [];
  const own = found.filter((message) => message.userId === userId);
  if (own.length === 0) throw new AppError({ code: 'undo_expired', message: 'It can no longer be taken back.' });
  const restored: MessageRecord[] = [];
  for (const { id } of own) {
    const after = await messages.change(id, (message) => {
      const set = message.undo?.by === by ? revertedBy(message) : null;
      return set && { set, events: (change) => [messageUpdated(change, { changesInbox: true })] };
    });
    if (after === null || after.aside) continue;
    await updateMedia(deps, after);
    restored.push(after);
  }
  outbox.notify();
  return restored;
}

/**
 * Deletes for good what can no longer be taken back. Safe to repeat, also across replicas: a message is removed together
 * with its event, and only as long as it is deleted.
 */
export async function finishDeletions(deps: InboxDeps, now: Date): Promise<void> {
  let found: MessageRecord[];
  do {
    found = await deps.inbox.findUndoBefore(now, BATCH);
    for (const message of found) {
      const { id, aside, undo } = message;
      if (aside?.reason === 'deleted')
        await isFound(
          removeForEverybody(deps, message, (current) => {
            if (current.aside?.reason !== 'deleted') throw notFound();
          }),
        );
      else if (undo) await deps.inbox.forgetUndo(id, undo.until);
    }
  } while (found.length === BATCH);
  deps.outbox.notify();
}
