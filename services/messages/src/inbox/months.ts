import type { MessageRecord, ReadFilter } from '../store/message-record.js';
import type { Page } from '../store/messages.js';
import { MOST_LOOKED_THROUGH } from './inbox-store.js';
import type { InboxDeps } from './inbox.js';

export type MonthsOf = ReadFilter | 'received' | 'sent';

export interface Month {
  /** As `2026-10`. */
  month: string;
  count?: number;
}

/** Newest first. Beyond `MOST_LOOKED_THROUGH` messages, every month without counts. */
export async function listMonths(
  { inbox, counts, senders }: InboxDeps,
  userId: number,
  of: MonthsOf,
  zone: string,
): Promise<Month[]> {
  const filter = of === 'sent' ? null : of === 'received' ? 'all' : of;
  const sender = of === 'all' || of === 'sent' ? await senders.tagOf(userId) : null;
  const { received, sent } = await counts.of(...(sender === null ? [userId] : [userId, sender]));
  if ((filter === null ? 0 : received) + (sender === null ? 0 : sent) <= MOST_LOOKED_THROUGH) {
    const counted = await inbox.countByMonth(
      {
        ...(filter !== null && { received: { userId, filter } }),
        // A message to oneself counts once.
        ...(sender !== null && { sent: { sender, ...(of === 'all' && { without: userId }) } }),
      },
      zone,
    );
    return [...counted]
      .map(([month, count]) => ({ month, count }))
      .sort((a, b) => b.month.localeCompare(a.month, 'en'));
  }
  const lists = [
    ...(filter === null ? [] : [(page: Page) => inbox.listReceived(userId, { filter, words: [] }, page)]),
    ...(sender === null
      ? []
      : [async (page: Page) => (await inbox.listSent(sender, { filter: 'all', words: [] }, page)).found]),
  ];
  const endsOf = async (list: (page: Page) => Promise<MessageRecord[]>): Promise<MessageRecord[]> =>
    (
      await Promise.all((['oldest', 'newest'] as const).map((order) => list({ order, before: undefined, limit: 1 })))
    ).flat();
  const times = (await Promise.all(lists.map(endsOf))).flat().map(({ createdAt }) => createdAt.getTime());
  return times.length === 0 ? [] : monthsBetween(Math.min(...times), Math.max(...times), zone);
}

function monthsBetween(first: number, last: number, zone: string): Month[] {
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, year: 'numeric', month: 'numeric' });
  const numberOf = (time: number): number => {
    const { year, month } = Object.fromEntries(
      format.formatToParts(time).map(({ type, value }) => [type, Number(value)]),
    ) as Record<'year' | 'month', number>;
    return year * 12 + month - 1;
  };
  const [from, to] = [numberOf(first), numberOf(last)];
  return Array.from({ length: to - from + 1 }, (_, index) => {
    const month = to - index;
    return { month: `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}` };
  });
}

interface Beginning {
  sort: 'newest' | 'oldest';
  before?: number | undefined;
  start?: string | undefined;
}

export async function cursorAt(
  { inbox, senders }: InboxDeps,
  userId: number,
  list: 'received' | 'sent',
  { sort, before, start }: Beginning,
): Promise<number | undefined> {
  if (before !== undefined || start === undefined) return before;
  const time = new Date(start);
  const of = list === 'received' ? { userId } : { sender: await senders.tagOf(userId) };
  const first = await inbox.findFirstSince(of, time);
  if (sort === 'newest') return first;
  return first === undefined ? Number.MAX_SAFE_INTEGER : first - 1;
}
