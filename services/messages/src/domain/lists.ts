import type { MessagesContext } from '../context.js';
import type { MessageCounts } from '../db/counts.js';
import type { MessageRecord, Page, ReadFilter, ReceivedFilter } from '../db/messages.js';

const countOf: Record<ReceivedFilter, (counts: MessageCounts) => number> = {
  all: ({ received }) => received,
  read: ({ read }) => read,
  unread: ({ received, read }) => received - read,
  public: (counts) => counts.public,
};

/** A page of what an account has received. It costs the same in an inbox of any size. */
export async function listReceived(
  { messages, counts }: MessagesContext,
  userId: number,
  filter: ReceivedFilter,
  page: Page,
): Promise<MessageRecord[]> {
  const outline = await counts.outline(userId);
  return messages.listReceived(
    userId,
    filter,
    { count: countOf[filter](outline.counts), span: outline.receivedIds },
    page,
  );
}

/** A page of what an account has sent, by whether its recipients have read it. */
export async function listSent(
  { messages, counts }: MessagesContext,
  senderUserId: number,
  filter: ReadFilter,
  page: Page,
): Promise<MessageRecord[]> {
  const outline = await counts.outline(senderUserId);
  return messages.listSent(senderUserId, filter, { count: outline.counts.sent, span: outline.sentIds }, page);
}
