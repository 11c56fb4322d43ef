import type { OutboxEntry } from '@najwa/common/amqp';
import type { DeletionLedger } from '@najwa/product';
import type { CountingEntry, LedgerNote } from '../store/counts.js';
import { deletionOf, messageDeleted, messageUpdated } from '../store/events.js';
import type { MessageRepository } from '../store/messages.js';
import type { AccountStore } from './account-store.js';

export type MessageFact = Omit<LedgerNote, 'sentAt'> & { sentAt: string };

export interface LedgerDeps {
  ledger: DeletionLedger<MessageFact>;
  messages: MessageRepository;
  accounts: AccountStore;
}

export function messageFactOf(entry: OutboxEntry): MessageFact | undefined {
  const { ledger: note } = entry as CountingEntry;
  if (note === undefined) return undefined;
  const { kind, sentId, sentAt, revision } = note;
  return { kind, sentId, sentAt: sentAt.toISOString(), revision };
}

/** Repeats deletions and unpublications that a restored backup lacks. */
export async function applyLedger({ ledger, messages, accounts }: LedgerDeps): Promise<void> {
  await ledger.applyAfterRestore(async ({ kind, sentId, sentAt, revision }) => {
    // A restore may reuse ids, so the time must match too.
    const message = await accounts.findAsSent(sentId, new Date(sentAt));
    if (message === null) return;
    if (kind === 'message') await messages.remove(message.id, (current) => [messageDeleted(deletionOf(current))]);
    else
      await messages.change(message.id, ({ isPublic, revision: current }) =>
        isPublic && current < revision
          ? { set: { isPublic: false }, events: (change) => [messageUpdated(change, { changesInbox: true })] }
          : null,
      );
  });
}
