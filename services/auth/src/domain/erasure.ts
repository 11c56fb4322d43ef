import { randomUUID } from 'node:crypto';
import { createEvent, outboxEntry, SUBSCRIPTIONS, type OutboxEntry } from '@najwa/common/amqp';
import type { AuthContext } from '../context.js';
import { endOtherSessions } from './sessions.js';

/** Services that store something of accounts. */
const ERASING_SERVICES: readonly string[] = Object.entries(SUBSCRIPTIONS)
  .filter(([, events]) => (events as readonly string[]).includes('accountDeleted'))
  .map(([service]) => service);

const BATCH = 100;

/** A service that has not answered for this long is told again, in case the event was parked or lost with a broker. */
const ANNOUNCE_AGAIN_MS = 60 * 60 * 1000;

const accountDeleted = (userId: number, avatarName: string | null): OutboxEntry =>
  outboxEntry(createEvent(randomUUID(), { $case: 'accountDeleted', value: { userId, avatarName: avatarName ?? '' } }));

/** Deletes the accounts whose time is over. Every step is safe to repeat, by any replica and after any crash. */
export async function sweepErasures(context: AuthContext, now: Date): Promise<void> {
  const { deletions, heldNames, outbox, bounds } = context;
  const count = { due: (limit: number) => deletions.countDue(now, limit), total: () => deletions.estimateTotal() };
  const due = (await bounds.allows('accounts', count, now)) ? await deletions.findDue(now, BATCH) : [];
  for (const { id, username, avatarName = null } of due) {
    // First, so that nobody can take the name in between.
    await heldNames.hold(username);
    const erasure = { announcedAt: now, waiting: [...ERASING_SERVICES], avatarName };
    await deletions.beginErasure(id, now, erasure, accountDeleted(id, avatarName));
  }
  for (const erasing of await deletions.findErasing(BATCH)) {
    await eraseAccess(context, erasing.id);
    const { announcedAt, avatarName } = erasing.erasure;
    if (now.getTime() - announcedAt.getTime() >= ANNOUNCE_AGAIN_MS)
      await deletions.announceAgain(erasing, now, accountDeleted(erasing.id, avatarName));
    await deletions.finishErasure(erasing.id);
  }
  outbox.notify();
}

async function eraseAccess(context: AuthContext, userId: number): Promise<void> {
  await endOtherSessions(context, userId, null);
  await context.passkeys.removeAll(userId);
}

/** Notes that a service has deleted its part. After the last one nothing is left of the account. */
export async function acknowledge(context: AuthContext, userId: number, service: string): Promise<void> {
  if (!(await context.deletions.acknowledge(userId, service))) return;
  await eraseAccess(context, userId);
  await context.deletions.finishErasure(userId);
}
