/** An account: its id as a recipient, or its tag as a sender, which only a key outside the database leads to. */
export type AccountKey = number | string;

/** Message counts of one account. Deleted and hidden messages do not count. */
export interface MessageCounts {
  received: number;
  read: number;
  public: number;
  sent: number;
}

/** The fields of a message by which it counts. */
export interface CountedMessage {
  /** 0 once the recipient's account is gone. */
  userId: number;
  sender: string | null;
  isRead: boolean;
  isPublic: boolean;
  hiddenFromSender: boolean;
  aside: { reason: string } | null;
}

/** The counts that one message contributes, by account: for each change of it, and for a restore, which counts all of them. */
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
