import type { OutboxEntry } from '@najwa/common/amqp';
import { Event } from '@najwa/proto/events';
import type { ProtectionChange } from './user-store.js';

/** Facts that a restore must not undo. Deletion is implied by `deletesAt`. */
export type AccountFact = { userId: number } & (
  | {
      /** Null if reopened. */
      deletesAt: string | null;
    }
  | ProtectionChange
);

/** Undefined if unreadable: the relay parks such events. */
function readPayload(body: string): Event['payload'] {
  try {
    return Event.fromJSON(JSON.parse(body)).payload;
  } catch {
    return undefined;
  }
}

export function accountFactOf(entry: OutboxEntry): AccountFact | undefined {
  const { at, body, ledger } = entry as OutboxEntry & { ledger?: AccountFact };
  if (ledger !== undefined) return ledger;
  const payload = readPayload(body);
  if (payload?.$case === 'accountDeletionRequested') {
    const { userId, deletesAt = at } = payload.value;
    return { userId, deletesAt: deletesAt.toISOString() };
  }
  if (payload?.$case === 'accountKept') return { userId: payload.value.userId, deletesAt: null };
  return undefined;
}
