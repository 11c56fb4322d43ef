import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError, MAX_REPLICA_SKEW_MS } from '@najwa/common';
import { LIMITS, RETENTION, type FiltersChange } from '@najwa/proto/http';
import type { MessagesContext } from '../context.js';
import type { EmptiedFolder, Filters } from './rules-store.js';
import { isShownAside, type MessageRecord } from '../store/message-record.js';
import type { Page } from '../store/messages.js';
import { messageRestored, messageSetAside, messageUpdated } from '../store/events.js';
import { filterOf } from './judge.js';
import { discard, inboxOf, notFound } from '../inbox/inbox.js';
import { changedSet } from '../set-change.js';

const RETENTION_MS = RETENTION.asideDays * 24 * 60 * 60 * 1000;
const BATCH = 200;

/** Each search for what is left looks at all that was ever set aside for the account. */
const EMPTIED_BATCH = 2_000;

/** Messages that were set aside within the difference of two clocks. Beyond those, the rest stays in the folder. */
const MAX_RECENT = 5_000;

/** Unread messages that a new word is applied to, newest first. */
const MAX_WAITING = 5_000;

/** A page of the messages that were set aside. */
export async function listAside(
  { messages, rules, counts }: MessagesContext,
  userId: number,
  words: readonly string[],
  page: Page,
): Promise<MessageRecord[]> {
  const [emptied, summary] = await Promise.all([rules.emptied(userId), counts.summary(userId)]);
  return messages.listAside(userId, { words, emptied }, inboxOf(summary), page);
}

/** @throws {AppError} `message_not_found` to anyone but the recipient, or if it is in the inbox */
export async function restoreMessage(
  { messages, rules, outbox }: MessagesContext,
  userId: number,
  id: number,
): Promise<MessageRecord> {
  const emptied = await rules.emptied(userId);
  const restored = await messages.change(id, (message) => {
    if (message.userId !== userId) throw notFound();
    if (message.aside === null) return null;
    const { at } = message.aside;
    const isEmptied =
      emptied !== undefined && ((at !== undefined && at <= emptied.emptiedAt) || emptied.emptiedIds.includes(id));
    if (isEmptied || !isShownAside(message.aside)) throw notFound();
    return { set: { aside: null }, events: (change) => [messageRestored(change.after)] };
  });
  if (restored === null) throw notFound();
  outbox.notify();
  return restored;
}

/**
 * Empties the folder of those that were set aside. One write hides all of them. Discarding each, with its event, takes
 * too long for a request. If the process dies meanwhile, the sweep goes on.
 */
export async function emptyAside(context: MessagesContext, userId: number): Promise<void> {
  const now = await context.sweepClock.now();
  // With a wrong clock nothing goes by time.
  const emptiedAt = new Date(now === null ? 1 : now.getTime() - MAX_REPLICA_SKEW_MS);
  const emptiedIds = await context.messages.listAsideSince(userId, emptiedAt, MAX_RECENT);
  const folder: EmptiedFolder = { userId, emptiedAt, emptiedIds };
  await context.rules.noteEmptied(folder);
  discardEmptied(context, folder).catch((error: unknown) =>
    context.logger.warn({ err: error }, 'emptied folder not finished, the sweep will'),
  );
}

/** Safe to repeat, also across replicas. */
async function discardEmptied(context: MessagesContext, folder: EmptiedFolder): Promise<void> {
  let found: MessageRecord[];
  do {
    found = await context.messages.findEmptied(folder, EMPTIED_BATCH);
    for (const message of found) await discard(context, message);
  } while (found.length === EMPTIED_BATCH);
  await context.rules.finishEmptied(folder);
  context.outbox.notify();
}

/** Discards what is left of emptied folders. */
export async function finishEmptied(context: MessagesContext): Promise<void> {
  for (const folder of await context.rules.findEmptied(BATCH)) await discardEmptied(context, folder);
}

/** Discards what was set aside at the end of its retention. */
export async function sweepAside(context: MessagesContext, now: Date): Promise<void> {
  const { messages, bounds } = context;
  const before = new Date(now.getTime() - RETENTION_MS);
  const count = {
    due: (limit: number) => messages.countAsideBefore(before, limit),
    total: () => messages.countAside(),
  };
  if (!(await bounds.allows('set aside', count, now))) return;
  let found: MessageRecord[];
  do {
    found = await messages.findAsideBefore(before, BATCH);
    for (const message of found) await discard(context, message);
  } while (found.length === BATCH);
  context.outbox.notify();
}

/** @throws {AppError} `invalid_input` for too many words */
export function addAndRemove(before: Filters, { words, lists }: FiltersChange): Filters {
  const after = { words: changedSet(before.words, words), lists: changedSet(before.lists, lists) };
  if (after.words.length > LIMITS.filterWords)
    throw new AppError({
      code: 'invalid_input',
      message: `An account filters at most ${LIMITS.filterWords} words.`,
      fields: { 'words.add': 'too_long' },
    });
  return after;
}

const addedTo = (before: Filters, after: Filters): Filters => ({
  words: after.words.filter((word) => !before.words.includes(word)),
  lists: after.lists.filter((list) => !before.lists.includes(list)),
});

const isEmpty = ({ words, lists }: Filters): boolean => words.length === 0 && lists.length === 0;

/**
 * Changes the filters of an account, and sets aside the waiting messages that the new ones stop: unread, private and
 * without a reply. That is work, so an account adds filters once at a time, and not often.
 * @returns the filters, and how many messages were set aside
 * @throws {AppError} `too_many_requests`, `unavailable`
 */
export async function changeFilters(
  context: MessagesContext,
  userId: number,
  change: (before: Filters) => Filters,
): Promise<Filters & { setAside: number }> {
  const { rules, limits, filtering } = context;
  const present = await rules.load(userId);
  if (!isEmpty(addedTo(present, change(present)))) await limits.filter.consume(String(userId));
  return filtering({ sender: String(userId) }, async () => {
    const { before, after } = await rules.changeFilters(userId, change);
    return { ...after, setAside: await applyFilters(context, userId, addedTo(before, after)) };
  });
}

async function applyFilters(context: MessagesContext, userId: number, added: Filters): Promise<number> {
  if (isEmpty(added)) return 0;
  const findWord = filterOf(added);
  const isWaiting = ({ aside, isRead, isPublic, reply }: MessageRecord): boolean =>
    aside === null && !isRead && !isPublic && reply === null;
  let setAside = 0;
  const page: Page = { order: 'newest', before: undefined, limit: BATCH };
  for (let seen = 0; seen < MAX_WAITING; seen += BATCH) {
    const { counts, receivedIds: span } = await context.counts.summary(userId);
    const extent = { count: counts.received - counts.read, span };
    const found = await context.messages.listReceived(userId, { filter: 'unread', words: [] }, extent, page);
    for (const { id, content } of found) {
      // Others are answered between two messages: a hostile text takes milliseconds.
      await nextTurn();
      const matched = findWord(content);
      if (matched === undefined) continue;
      const changed = await context.messages.change(id, (message) =>
        isWaiting(message)
          ? {
              set: { aside: { reason: 'filtered', matched, at: new Date() } },
              events: (change) => [messageSetAside(change.after), messageUpdated(change, { changesInbox: true })],
            }
          : null,
      );
      if (changed?.aside) setAside += 1;
    }
    const last = found.at(-1);
    if (found.length < BATCH || last === undefined) break;
    page.before = last.id;
  }
  context.outbox.notify();
  return setAside;
}
