import { createHash, randomBytes } from 'node:crypto';
import { AppError } from '@najwa/common/errors';
import { MAX_REPLICA_SKEW_MS } from '@najwa/common/service';
import { LIMITS } from '@najwa/proto/http';
import { messageUpdated } from '../store/events.js';
import type { BulkAction, MessageChange, MessageRecord, Undo } from '../store/message-record.js';
import {
  hideMessage,
  isFound,
  notFound,
  removeForEverybody,
  updateMedia,
  updateMessage,
  type InboxDeps,
} from './inbox.js';

const UNDO_MS = LIMITS.undoSeconds * 1000;

/** Network latency. */
const MARGIN_MS = 5_000;

/** Upper bound of a call. */
const CHANGE_MS = 10 * 60_000;

const CONCURRENCY = 10;
const BATCH = 100;
const TOKEN_BYTES = 16;

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

/** The sweep's clock may differ from the one that set `until`. */
const endOf = (until: Date): Date => new Date(until.getTime() + MAX_REPLICA_SKEW_MS);

export interface BulkChange {
  done: number[];
  token: string;
  until: Date;
}

/**
 * Skips messages of others and those set aside. Stops at a failure.
 * @throws the first failure if nothing was done
 */
export async function changeMessages(
  deps: InboxDeps,
  userId: number,
  ids: readonly number[],
  action: BulkAction,
): Promise<BulkChange> {
  const secret = randomBytes(TOKEN_BYTES).toString('base64url');
  // Extended after the last change, so that no undo ends early.
  const undo: Undo = { action, by: hashOf(secret), until: new Date(Date.now() + CHANGE_MS) };
  const done = new Set<number>();
  let failed: PromiseRejectedResult | undefined;
  for (let from = 0; from < ids.length && failed === undefined; from += CONCURRENCY) {
    const changes = ids.slice(from, from + CONCURRENCY).map(async (id) => {
      if (await isFound(changeOne(deps, userId, id, undo))) done.add(id);
    });
    failed = (await Promise.allSettled(changes)).find(({ status }) => status === 'rejected') as typeof failed;
  }
  // An error carries no token to undo what was done.
  if (failed !== undefined && done.size === 0) throw failed.reason;
  const end = new Date(Date.now() + UNDO_MS + MARGIN_MS);
  const until = await deps.inbox.endUndo(undo, end).then(
    () => end,
    () => undo.until,
  );
  if (action === 'delete') deps.deletions.schedule(endOf(until));
  return {
    done: ids.filter((id) => done.has(id)),
    // Starts with the time, which an index finds.
    token: `${until.getTime()}.${secret}`,
    until: new Date(Date.now() + UNDO_MS),
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

/** Null if nothing is left to undo. */
function revertedBy({ undo, aside, isPublic, isRead, reply }: MessageRecord): MessageChange['set'] | null {
  const pin = undo?.pin && { pin: undo.pin };
  switch (undo?.action) {
    case 'read':
      // A reply implies reading.
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
 * Idempotent.
 * @throws {AppError} `undo_expired` for an unknown or expired token
 */
export async function undoChange(deps: InboxDeps, userId: number, token: string): Promise<MessageRecord[]> {
  const { messages, inbox, outbox } = deps;
  const [, time = 0, secret = ''] = /^(\d{13})\.(.*)$/.exec(token) ?? [];
  const until = new Date(Number(time));
  const by = hashOf(secret);
  const found = endOf(until) > new Date() ? await inbox.findUndo(until, by) : [];
  // The stored order depends on who wrote.
  const own = found.filter((message) => message.userId === userId).sort((a, b) => b.id - a.id);
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

/** Idempotent, also across replicas. */
export async function finishDeletions(deps: InboxDeps, now: Date): Promise<void> {
  let found: MessageRecord[];
  do {
    found = await deps.inbox.findUndoBefore(new Date(now.getTime() - MAX_REPLICA_SKEW_MS), BATCH);
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
