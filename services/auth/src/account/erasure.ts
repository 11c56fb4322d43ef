import { randomUUID } from 'node:crypto';
import { createEvent, outboxEntry, SUBSCRIPTIONS, type OutboxEntry } from '@najwa/common/amqp';
import type { SweepBounds } from '@najwa/common/service';
import type { PasskeyRepository } from '../passkeys/passkey-store.js';
import { endOtherSessions, type SessionsDeps } from '../sessions/sessions.js';
import type { AccountDeps } from './accounts.js';

export interface ErasureDeps extends AccountDeps, SessionsDeps {
  passkeys: PasskeyRepository;
  bounds: SweepBounds;
}

const ERASING_SERVICES: readonly string[] = Object.entries(SUBSCRIPTIONS)
  .filter(([, events]) => (events as readonly string[]).includes('accountDeleted'))
  .map(([service]) => service);

const BATCH = 100;

/** Repeats the event for a silent service, in case it was parked or lost. */
const ANNOUNCE_AGAIN_MS = 60 * 60 * 1000;

const accountDeleted = (userId: number, avatarName: string | null): OutboxEntry =>
  outboxEntry(createEvent(randomUUID(), { $case: 'accountDeleted', value: { userId, avatarName: avatarName ?? '' } }));

/** Idempotent, across replicas and crashes. */
export async function sweepErasures(deps: ErasureDeps, now: Date): Promise<void> {
  const { deletions, heldNames, outbox, bounds } = deps;
  const count = { due: (limit: number) => deletions.countDue(now, limit), total: () => deletions.estimateTotal() };
  const due = (await bounds.allows('accounts', count, now)) ? await deletions.findDue(now, BATCH) : [];
  for (const { id, username, avatarName = null } of due) {
    // First, so that the name cannot be taken in between.
    await heldNames.hold(username);
    const erasure = { announcedAt: now, waiting: [...ERASING_SERVICES], avatarName };
    await deletions.beginErasure(id, now, erasure, accountDeleted(id, avatarName));
  }
  for (const erasing of await deletions.findErasing(BATCH)) {
    await eraseAccess(deps, erasing.id);
    const { announcedAt, avatarName } = erasing.erasure;
    if (now.getTime() - announcedAt.getTime() >= ANNOUNCE_AGAIN_MS)
      await deletions.announceAgain(erasing, now, accountDeleted(erasing.id, avatarName));
    await deletions.finishErasure(erasing.id);
  }
  outbox.notify();
}

async function eraseAccess(deps: ErasureDeps, userId: number): Promise<void> {
  await endOtherSessions(deps, userId, null);
  await deps.passkeys.removeAll(userId);
}

export async function acknowledge(deps: ErasureDeps, userId: number, service: string): Promise<void> {
  if (!(await deps.deletions.acknowledge(userId, service))) return;
  await eraseAccess(deps, userId);
  await deps.deletions.finishErasure(userId);
}
