/** A recipient's id, or a sender's tag, which only a key outside the database resolves. */
export type AccountKey = number | string;

/** Without deleted and hidden messages. */
export interface MessageCounts {
  received: number;
  read: number;
  public: number;
  sent: number;
}

export interface CountedMessage {
  /** 0 once the recipient's account is gone. */
  userId: number;
  sender: string | null;
  isRead: boolean;
  isPublic: boolean;
  hiddenFromSender: boolean;
  aside: { reason: string } | null;
}

/** Counts that one message contributes, by account. */
export function contributionsOf(message: CountedMessage): Map<AccountKey, Partial<MessageCounts>> {
  const { userId, sender, isRead, isPublic, hiddenFromSender, aside } = message;
  const contributions = new Map<AccountKey, Partial<MessageCounts>>();
  if (aside?.reason === 'deleted') return contributions;
  contributions.set(
    userId,
    aside || userId === 0 ? {} : { received: 1, read: Number(isRead), public: Number(isPublic) },
  );
  if (sender !== null && !hiddenFromSender) contributions.set(sender, { sent: 1 });
  return contributions;
}
