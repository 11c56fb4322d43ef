import type { OutboxEntry } from '@najwa/common/amqp';
import { Event } from '@najwa/proto/events';

/** Deletion is implied by `deletesAt`. */
export interface AccountFact {
  userId: number;
  /** Null if reopened. */
  deletesAt: string | null;
}

/** Undefined if unreadable: the relay parks such events. */
function readPayload(body: string): Event['payload'] {
  try {
    return Event.fromJSON(JSON.parse(body)).payload;
  } catch {
    return undefined;
  }
}

export function accountFactOf({ at, body }: OutboxEntry): AccountFact | undefined {
  const payload = readPayload(body);
  if (payload?.$case === 'accountDeletionRequested') {
    const { userId, deletesAt = at } = payload.value;
    return { userId, deletesAt: deletesAt.toISOString() };
  }
  if (payload?.$case === 'accountKept') return { userId: payload.value.userId, deletesAt: null };
  return undefined;
}
