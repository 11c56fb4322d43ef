import { createHash, randomBytes } from 'node:crypto';
import { AppError } from '@najwa/common';
import { LIMITS } from '@najwa/proto/http';
import type { MessagesContext } from '../context.js';
import type { BulkAction, MessageChange, MessageRecord, Undo } from '../store/message-record.js';
import { messageUpdated } from '../store/events.js';
import { hideMessage, notFound, removeForEverybody, updateMedia, updateMessage } from './inbox.js';

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

/** Changes received messages, each on its own. Others, and those that were set aside, stay as they are. */
export async function changeMessages(
  context: MessagesContext,
  userId: number,
  ids: readonly number[],
  action: BulkAction,
): Promise<BulkChange> {
  const until = new Date(Date.now() + UNDO_MS + MARGIN_MS);
  const token = newToken(until);
  const undo: Undo = { action, by: hashOf(token), until };
  const done = new Set<number>();
  for (let from = 0; from < ids.length; from += CONCURRENCY)
    await Promise.all(
      ids.slice(from, from + CONCURRENCY).map(async (id) => {
        if (await isFound(changeOne(context, userId, id, undo))) done.add(id);
      }),
    );
  if (action === 'delete') context.deletions.schedule(until);
  return {
    done: ids.filter((id) => done.has(id)),
    token,
    until: new Date(Math.min(until.getTime(), Date.now() + UNDO_MS)),
  };
}

function changeOne(context: MessagesContext, userId: number, id: number, undo: Undo): Promise<unknown> {
  switch (undo.action) {
    case 'read':
      return updateMessage(context, userId, id, { isRead: true }, undo);
    case 'publish':
      return updateMessage(context, userId, id, { isPublic: true }, undo);
    case 'unpublish':
      return updateMessage(context, userId, id, { isPublic: false }, undo);
    case 'delete':
      return hideMessage(context, userId, id, undo);
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
export async function undoChange(context: MessagesContext, userId: number, token: string): Promise<MessageRecord[]> {
  const { messages, outbox } = context;
  const until = new Date(Number(/^(\d{13})\./.exec(token)?.[1] ?? 0));
  const by = hashOf(token);
  const found = until > new Date() ? await messages.findUndo(until, by) : [];
  const own = found.filter((message) => message.userId === userId);
  if (own.length === 0) throw new AppError({ code: 'undo_expired', message: 'It can no longer be taken back.' });
  const restored: MessageRecord[] = [];
  for (const { id } of own) {
    const after = await messages.change(id, (message) => {
      const set = message.undo?.by === by ? revertedBy(message) : null;
      return set && { set, events: (change) => [messageUpdated(change, { changesInbox: true })] };
    });
    if (after === null || after.aside) continue;
    await updateMedia(context, after);
    restored.push(after);
  }
  outbox.notify();
  return restored;
}

/**
 * Deletes for good what can no longer be taken back. Safe to repeat, also across replicas: a message is removed together
 * with its event, and only as long as it is deleted.
 */
export async function finishDeletions(context: MessagesContext, now: Date): Promise<void> {
  let found: MessageRecord[];
  do {
    found = await context.messages.findUndoBefore(now, BATCH);
    for (const message of found) {
      const { id, aside, undo } = message;
      if (aside?.reason === 'deleted')
        await isFound(
          removeForEverybody(context, message, (current) => {
            if (current.aside?.reason !== 'deleted') throw notFound();
          }),
        );
      else if (undo) await context.messages.forgetUndo(id, undo.until);
    }
  } while (found.length === BATCH);
  context.outbox.notify();
}

/** Run something when its time has come. What a process did not do is found by the sweep of the next one. */
export interface Timers {
  schedule(until: Date): void;
  stop(): void;
}

export function createTimers(finish: () => Promise<void>): Timers {
  const timers = new Set<NodeJS.Timeout>();
  return {
    schedule(until) {
      const timer = setTimeout(
        () => {
          timers.delete(timer);
          void finish();
        },
        until.getTime() - Date.now() + 1,
      );
      timers.add(timer);
    },
    stop() {
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
}
