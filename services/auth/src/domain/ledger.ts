import { randomUUID } from 'node:crypto';
import { createEvent, outboxEntry, type OutboxEntry } from '@najwa/common';
import { Event } from '@najwa/proto/events';
import type { AuthContext } from '../context.js';
import { keepAccount } from './deletion.js';

/** An account that was closed or opened again. Its deletion is the end of the time that it is closed for. */
export interface AccountFact {
  userId: number;
  /** Null for one that was opened again. */
  deletesAt: string | null;
}

/** The relay parks what it cannot read. */
function readPayload(body: string): Event['payload'] {
  try {
    return Event.fromJSON(JSON.parse(body)).payload;
  } catch {
    return undefined;
  }
}

/** Reads the part of an event that the ledger keeps. Undefined if that is nothing. */
export function accountFactOf({ at, body }: OutboxEntry): AccountFact | undefined {
  const payload = readPayload(body);
  if (payload?.$case === 'accountDeletionRequested') {
    const { userId, deletesAt = at } = payload.value;
    return { userId, deletesAt: deletesAt.toISOString() };
  }
  if (payload?.$case === 'accountKept') return { userId: payload.value.userId, deletesAt: null };
  return undefined;
}

/**
 * Closes accounts of a restored backup that were closed or deleted since. The sweep deletes those whose time is over. An
 * account whose owner kept it opens again.
 */
export async function applyLedger(context: AuthContext): Promise<void> {
  const { ledger, users, deletions } = context;
  await ledger.applyAfterRestore(async ({ userId, deletesAt }, at) => {
    const user = await users.findById(userId);
    // A later account with this id has nothing to do with it.
    if (user === null || user.createdAt > at) return;
    if (deletesAt === null) {
      await keepAccount(context, userId);
      return;
    }
    const value = { userId, deletesAt: new Date(deletesAt) };
    const event = createEvent(randomUUID(), { $case: 'accountDeletionRequested', value });
    await deletions.close(user, value.deletesAt, outboxEntry(event));
  });
}
