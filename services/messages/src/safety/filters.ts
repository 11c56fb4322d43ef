import { setImmediate as nextTurn } from 'node:timers/promises';
import type { OutboxRelay } from '@najwa/common/amqp';
import { AppError } from '@najwa/common/errors';
import type { FairQueue } from '@najwa/common/limits';
import { LIMITS, type FiltersChange } from '@najwa/proto/http';
import type { AuthClient } from '../clients/auth.js';
import type { Limits } from '../config.js';
import type { InboxStore } from '../inbox/inbox-store.js';
import { changedSet } from '../set-change.js';
import { messageSetAside, messageUpdated } from '../store/events.js';
import type { MessageRecord } from '../store/message-record.js';
import type { MessageRepository, Page } from '../store/messages.js';
import type { AsideStore } from './aside-store.js';
import { filterOf } from './judge.js';
import type { Filters, InboxRulesRepository } from './rules-store.js';

const BATCH = 200;

/** Unread messages that a new filter is applied to, newest first. */
const MAX_WAITING = 5_000;

export interface SafetyDeps {
  messages: MessageRepository;
  inbox: InboxStore;
  aside: AsideStore;
  rules: InboxRulesRepository;
  outbox: OutboxRelay;
  auth: AuthClient;
  /** Runs one filter change per account at a time. */
  filtering: FairQueue;
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
 * Changes filters and sets aside matching messages that are unread, private and unanswered.
 * @throws {AppError} `too_many_requests`, `unavailable`
 */
export async function changeFilters(
  deps: SafetyDeps,
  limits: Limits<'filter'>,
  userId: number,
  change: (before: Filters) => Filters,
): Promise<Filters & { setAside: number }> {
  const { rules, filtering } = deps;
  const present = await rules.load(userId);
  if (!isEmpty(addedTo(present, change(present)))) await limits.filter.consume(String(userId));
  return filtering({ sender: String(userId) }, async () => {
    const { before, after } = await rules.changeFilters(userId, change);
    return { ...after, setAside: await applyFilters(deps, userId, addedTo(before, after)) };
  });
}

async function applyFilters({ messages, inbox, outbox }: SafetyDeps, userId: number, added: Filters): Promise<number> {
  if (isEmpty(added)) return 0;
  const findWord = filterOf(added);
  const isWaiting = ({ aside, isRead, isPublic, reply }: MessageRecord): boolean =>
    aside === null && !isRead && !isPublic && reply === null;
  let setAside = 0;
  const page: Page = { order: 'newest', before: undefined, limit: BATCH };
  for (let seen = 0; seen < MAX_WAITING; seen += BATCH) {
    const found = await inbox.listReceived(userId, { filter: 'unread', words: [] }, page);
    for (const { id, content } of found) {
      // Yields: a hostile text takes milliseconds.
      await nextTurn();
      const matched = findWord(content);
      if (matched === undefined) continue;
      const changed = await messages.change(id, (message) =>
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
  outbox.notify();
  return setAside;
}
