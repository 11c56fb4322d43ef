import type { OutboxEntry } from '@najwa/common/amqp';
import { Event } from '@najwa/proto/events';

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
