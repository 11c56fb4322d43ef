import type { Page } from '../../app/paging.js';
import type { Entry, ReceivedMessage, SentMessage, Sort } from './types.js';

interface Timeline {
  entries: Entry[];
  /** The list to load next. Null at the end of both. */
  nextList: 'received' | 'sent' | null;
}

interface LoadedList<T> {
  items: T[];
  next: string | null;
}

function joinPages<T>(pages: readonly Page<T>[]): LoadedList<T> {
  return { items: pages.flatMap(({ items }) => items), next: pages.at(-1)?.next ?? null };
}

/** Ids are serial. The time of a received message is rounded to the minute. */
const byId = (order: 1 | -1) => (a: { id: number }, b: { id: number }) => order * (a.id - b.id);

/**
 * Merges received and sent messages without duplicates: a message to oneself is in both lists. The lists are paged
 * separately, so an entry is held back while an unloaded page may contain one before it.
 */
export function mergeTimeline(
  received: readonly Page<ReceivedMessage>[],
  sent: readonly Page<SentMessage>[],
  sort: Sort,
): Timeline {
  const inbox = joinPages(received);
  const outbox = joinPages(sent);
  const compare = byId(sort === 'newest' ? -1 : 1);

  const ownIds = new Set(inbox.items.map(({ id }) => id));
  const entries: Entry[] = [
    ...inbox.items.map((message) => ({ kind: 'received' as const, message })),
    ...outbox.items.filter(({ id }) => !ownIds.has(id)).map((message) => ({ kind: 'sent' as const, message })),
  ].sort((a, b) => compare(a.message, b.message));

  // The cursor is the id of the last message on the page, also if that message has been removed from the page since.
  const cursors = [
    { list: 'received' as const, next: inbox.next },
    { list: 'sent' as const, next: outbox.next },
  ].flatMap(({ list, next }) => (next === null ? [] : [{ list, id: Number(next) }]));

  const first = cursors.sort(compare)[0];
  if (first === undefined) return { entries, nextList: null };
  return { entries: entries.filter(({ message }) => compare(message, first) <= 0), nextList: first.list };
}
