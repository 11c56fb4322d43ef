import { createHash, randomBytes } from 'node:crypto';
import { AppError } from '@najwa/common/errors';
import { MAX_REPLICA_SKEW_MS } from '@najwa/common/service';
import { LIMITS } from '@najwa/proto/http';
import { endWithLast } from '../conversations/ending.js';
import { messageUpdated } from '../store/events.js';
import type { BulkAction, MessageChange, MessageRecord, Undo } from '../store/message-record.js';
import { isFound, listOwn, notFound, removeForEverybody, updateMedia, type InboxDeps } from './inbox.js';

const UNDO_MS = LIMITS.undoSeconds * 1000;

/** Network latency. */
const MARGIN_MS = 5_000;

/** Upper bound of a call. */
const CHANGE_MS = 10 * 60_000;

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

/** Skips messages of others and those set aside. */
export const changeMessages = (
  deps: InboxDeps,
  userId: number,
  ids: readonly number[],
  action: BulkAction,
): Promise<BulkChange> =>
  undoably(deps, action, async (undo) => {
    const found = await listOwn(deps, userId, [...ids]);
    await changeEach(deps, found, undo);
    const own = new Set(found.map(({ id }) => id));
    return ids.filter((id) => own.has(id));
  });

/** Reads the newest unread messages, `LIMITS.unreadAtOnce` at most. */
export const readAll = (deps: InboxDeps, userId: number): Promise<BulkChange> =>
  undoably(deps, 'read', async (undo) => {
    const unread = { filter: 'unread', words: [] } as const;
    const done: number[] = [];
    let before: number | undefined;
    do {
      const found = await deps.inbox.listReceived(userId, unread, { order: 'newest', before, limit: BATCH });
      const changed = (await changeEach(deps, found, undo)).filter((message) => message.undo?.by === undo.by);
      done.push(...changed.map(({ id }) => id));
      before = found.length < BATCH ? undefined : found.at(-1)?.id;
    } while (before !== undefined && done.length < LIMITS.unreadAtOnce);
    return done;
  });

/** @throws the failure of a change that did nothing. Other failures would keep the token from its caller */
async function undoably(
  deps: InboxDeps,
  action: BulkAction,
  change: (undo: Undo) => Promise<number[]>,
): Promise<BulkChange> {
  const secret = randomBytes(TOKEN_BYTES).toString('base64url');
  // Extended after the last change, so that no undo ends early.
  const undo: Undo = { action, by: hashOf(secret), until: new Date(Date.now() + CHANGE_MS) };
  const done = await change(undo).catch(async (error: unknown) => {
    const some = await deps.inbox.findUndo(undo.until, undo.by);
    if (some.length === 0) throw error;
    return some.map(({ id }) => id);
  });
  const end = new Date(Date.now() + UNDO_MS + MARGIN_MS);
  const until = await deps.inbox.endUndo(undo, end).then(
    () => end,
    () => undo.until,
  );
  if (action === 'delete') deps.deletions.schedule(endOf(until));
  return {
    done,
    // Starts with the time, which an index finds.
    token: `${until.getTime()}.${secret}`,
    until: new Date(Date.now() + UNDO_MS),
  };
}

const CHANGES = { read: { isRead: true }, publish: { isPublic: true }, unpublish: { isPublic: false } } as const;

function changedBy(undo: Undo, { aside, isRead, isPublic }: MessageRecord): MessageChange | null {
  if (aside !== null) return null;
  if (undo.action === 'delete') return changeTo({ undo, aside: { reason: 'deleted', matched: null, at: new Date() } });
  const after = { isRead, isPublic, ...CHANGES[undo.action] };
  return after.isRead === isRead && after.isPublic === isPublic ? null : changeTo({ ...after, undo });
}

const changeTo = (set: MessageChange['set']): MessageChange => ({
  set,
  events: (change) => [messageUpdated(change, { changesInbox: true })],
});

async function changeEach(deps: InboxDeps, found: MessageRecord[], undo: Undo): Promise<MessageRecord[]> {
  const after = await deps.messages.changeEach(found, (message) => changedBy(undo, message));
  deps.outbox.notify();
  if (undo.action !== 'read') await Promise.all(after.map((message) => updateMedia(deps, message)));
  return after;
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
  const own = found.filter((message) => message.userId === userId);
  if (own.length === 0) throw new AppError({ code: 'undo_expired', message: 'It can no longer be taken back.' });
  const restored: MessageRecord[] = [];
  for (let from = 0; from < own.length; from += BATCH)
    restored.push(
      ...(await messages.changeEach(own.slice(from, from + BATCH), (message) => {
        const set = message.undo?.by === by ? revertedBy(message) : null;
        return set && changeTo(set);
      })),
    );
  outbox.notify();
  // Reading changes no permission.
  const media = restored.filter(({ undo }) => undo?.action !== 'read');
  await Promise.all(media.map((message) => updateMedia(deps, message)));
  // The stored order depends on who wrote.
  return restored.filter(({ aside }) => aside === null).sort((a, b) => b.id - a.id);
}

/** Idempotent, also across replicas. */
export async function finishDeletions(deps: InboxDeps, now: Date): Promise<void> {
  let found: MessageRecord[];
  do {
    found = await deps.inbox.findUndoBefore(new Date(now.getTime() - MAX_REPLICA_SKEW_MS), BATCH);
    for (const message of found) {
      const { id, aside, undo } = message;
      if (aside?.reason === 'deleted') {
        await endWithLast(deps, message);
        await isFound(
          removeForEverybody(deps, message, (current) => {
            if (current.aside?.reason !== 'deleted') throw notFound();
          }),
        );
      } else if (undo) await deps.inbox.forgetUndo(id, undo.until);
    }
  } while (found.length === BATCH);
  deps.outbox.notify();
}
