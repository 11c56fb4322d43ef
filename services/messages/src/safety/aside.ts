import type { OutboxRelay } from '@najwa/common/amqp';
import type { Logger } from '@najwa/common/logging';
import { MAX_REPLICA_SKEW_MS, type SweepBounds, type SweepClock } from '@najwa/common/service';
import type { DataKeys } from '@najwa/product';
import { RETENTION } from '@najwa/proto/http';
import type { MediaClient } from '../clients/media.js';
import { discard, notFound } from '../inbox/inbox.js';
import { messageRestored } from '../store/events.js';
import { isShownAside, type MessageRecord } from '../store/message-record.js';
import type { MessageRepository } from '../store/messages.js';
import type { AsideStore } from './aside-store.js';
import type { EmptiedFolder, InboxRulesRepository } from './rules-store.js';

const RETENTION_MS = RETENTION.asideDays * 24 * 60 * 60 * 1000;
const BATCH = 200;

/** Large: every query scans all that was ever set aside for the account. */
const EMPTIED_BATCH = 2_000;

/** Messages within clock skew of the emptying. Any beyond stay in the folder. */
const MAX_RECENT = 5_000;

export interface AsideDeps {
  messages: MessageRepository;
  aside: AsideStore;
  rules: InboxRulesRepository;
  media: MediaClient;
  dataKeys: DataKeys;
  outbox: OutboxRelay;
  sweepClock: SweepClock;
  bounds: SweepBounds;
  logger: Logger;
}

/** @throws {AppError} `message_not_found` */
export async function restoreMessage(
  { messages, rules, outbox }: AsideDeps,
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

/** Hides the folder in one write and discards its messages in the background; the sweep resumes after a crash. */
export async function emptyAside(deps: AsideDeps, userId: number): Promise<void> {
  const now = await deps.sweepClock.now();
  // An untrusted clock discards nothing by time.
  const emptiedAt = new Date(now === null ? 1 : now.getTime() - MAX_REPLICA_SKEW_MS);
  const emptiedIds = await deps.aside.listSince(userId, emptiedAt, MAX_RECENT);
  const folder: EmptiedFolder = { userId, emptiedAt, emptiedIds };
  await deps.rules.noteEmptied(folder);
  discardEmptied(deps, folder).catch((error: unknown) =>
    deps.logger.warn({ err: error }, 'emptied folder not finished, the sweep will'),
  );
}

/** Idempotent, also across replicas. */
async function discardEmptied(deps: AsideDeps, folder: EmptiedFolder): Promise<void> {
  let found: MessageRecord[];
  do {
    found = await deps.aside.findEmptied(folder, EMPTIED_BATCH);
    for (const message of found) await discard(deps, message);
  } while (found.length === EMPTIED_BATCH);
  await deps.rules.finishEmptied(folder);
  deps.outbox.notify();
}

export async function finishEmptied(deps: AsideDeps): Promise<void> {
  for (const folder of await deps.rules.findEmptied(BATCH)) await discardEmptied(deps, folder);
}

export async function sweepAside(deps: AsideDeps, now: Date): Promise<void> {
  const { aside, bounds, outbox } = deps;
  const before = new Date(now.getTime() - RETENTION_MS);
  const count = {
    due: (limit: number) => aside.countBefore(before, limit),
    total: () => aside.count(),
  };
  if (!(await bounds.allows('set aside', count, now))) return;
  let found: MessageRecord[];
  do {
    found = await aside.findBefore(before, BATCH);
    for (const message of found) await discard(deps, message);
  } while (found.length === BATCH);
  outbox.notify();
}
