import { memo } from 'react';
import type { CardActions, Owner } from './card-parts.js';
import { ReceivedCard, SentCard } from './MessageCard.js';
import type { Message } from '../../shared/message/index.js';
import { freshOf } from './entries.js';
import type { Entry } from './types.js';

interface Calls {
  reply: (message: Message) => void;
  converse: (message: Message) => void;
  remove: (entry: Entry) => void;
  pick: (id: number, isRange: boolean) => void;
  open: (id: number, isOpen: boolean) => void;
}

interface Props {
  entry: Entry;
  owner: Owner;
  isRow: boolean;
  actions: CardActions;
  /** Stable identity. */
  calls: Calls;
  searched: readonly string[];
  isOpen: boolean;
  isPicked: boolean | null;
}

/** Memoised: a scrolling list renders in every frame. */
export const EntryCard = memo(
  function EntryCard({ entry, owner, isRow, actions, calls, searched, isOpen, isPicked }: Props) {
    const { id } = entry.message;
    const common = {
      actions,
      searched,
      isRow,
      isOpen,
      onToggle: (opens: boolean) => calls.open(id, opens),
      onDelete: () => calls.remove(entry),
    };
    if (entry.kind === 'sent') return <SentCard {...common} message={entry.message} isPicking={isPicked !== null} />;
    return (
      <ReceivedCard
        {...common}
        message={entry.message}
        owner={owner}
        fresh={freshOf(entry)}
        picking={isPicked === null ? undefined : { isPicked, onPick: (isRange) => calls.pick(id, isRange) }}
        onReply={() => calls.reply(entry.message)}
        onConverse={entry.message.conversationId == null ? undefined : () => calls.converse(entry.message)}
      />
    );
  },
  (before, after) =>
    before.entry.message === after.entry.message &&
    freshOf(before.entry) === freshOf(after.entry) &&
    before.owner === after.owner &&
    before.isRow === after.isRow &&
    before.actions === after.actions &&
    before.searched === after.searched &&
    before.isOpen === after.isOpen &&
    before.isPicked === after.isPicked,
);
