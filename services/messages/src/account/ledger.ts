import type { OutboxEntry } from '@najwa/common/amqp';
import type { DeletionLedger } from '@najwa/product';
import type { BlockNote, InboxRulesRepository } from '../safety/rules-store.js';
import type { LedgerNote } from '../store/counts.js';
import { endTurns } from '../conversations/ending.js';
import { deletionOf, messageDeleted, messageUpdated } from '../store/events.js';
import type { MessageRepository } from '../store/messages.js';
import type { AccountStore } from './account-store.js';

export type MessageFact = (Omit<LedgerNote, 'sentAt'> & { sentAt: string }) | BlockNote;

export interface LedgerDeps {
  ledger: DeletionLedger<MessageFact>;
  messages: MessageRepository;
  accounts: AccountStore;
  rules: InboxRulesRepository;
}

export function messageFactOf(entry: OutboxEntry): MessageFact | undefined {
  const { ledger: note } = entry as OutboxEntry & { ledger?: LedgerNote | BlockNote };
  if (note === undefined || note.kind === 'block') return note;
  const { kind, sentId, sentAt, revision } = note;
  return { kind, sentId, sentAt: sentAt.toISOString(), revision };
}

/**
 * Repeats deletions, unpublications, ends of conversations and changes of blocks that a restored backup lacks. Receiving rules are auth's, which
 * applies its own ledger before it answers.
 */
export async function applyLedger({ ledger, messages, accounts, rules }: LedgerDeps): Promise<void> {
  const apply = async (fact: MessageFact): Promise<void> => {
    if (fact.kind === 'block') {
      await rules.applyNote(fact);
      return;
    }
    const { kind, sentId, sentAt, revision } = fact;
    // A restore may reuse ids, so the time must match too.
    const message = await accounts.findAsSent(sentId, new Date(sentAt));
    if (message === null) return;
    if (kind === 'ended' || kind === 'left')
      await endTurns({ messages }, [message], kind === 'left' ? 'sender' : 'recipient');
    else if (kind === 'message') await messages.remove(message.id, (current) => [messageDeleted(deletionOf(current))]);
    else
      await messages.change(message.id, ({ isPublic, revision: current }) =>
        isPublic && current < revision
          ? { set: { isPublic: false }, events: (change) => [messageUpdated(change, { changesInbox: true })] }
          : null,
      );
  };
  await ledger.applyAfterRestore(apply, () => rules.forgetReceiving());
}
