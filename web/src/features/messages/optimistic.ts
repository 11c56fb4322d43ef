import type { Store } from '../../app/store.js';
import { messageQueries } from './queries.js';
import type { Message, MessageStats, Page, ReadFilter, ReceivedMessage } from './types.js';

/** Fields of a message that its owner can change. */
export type MessageChange = Partial<Pick<Message, 'isRead' | 'isPublic' | 'reply'>>;

/** Access to the RTK Query cache. */
type Cache = Pick<Store, 'dispatch' | 'getState'>;

interface Undoable {
  undo: () => void;
}

const { endpoints, util } = messageQueries;

/** Reverts optimistic updates if the request fails. */
export async function revertOnError(answer: Promise<unknown>, updates: readonly Undoable[]): Promise<void> {
  try {
    await answer;
  } catch {
    // The caller shows the error.
    for (const { undo } of updates) undo();
  }
}

/** Updates a message in every cached list, and the counts. */
export function applyChange(cache: Cache, id: number, change: MessageChange): Undoable[] {
  const previous = findReceived(cache, id);
  return [
    ...editReceived(cache, (pages, filter) => {
      changeIn(pages, id, change);
      // A read message leaves the unread list.
      if (filter === 'unread' && change.isRead === true) removeFrom(pages, id);
    }),
    ...editSent(cache, (pages) => {
      changeIn(pages, id, change);
    }),
    editStats(cache, (stats) => {
      if (previous === undefined || previous.isRead || change.isRead !== true) return;
      stats.unread -= 1;
      stats.read += 1;
    }),
  ];
}

/** Removes a message from every cached list, and from the counts. */
export function applyRemoval(cache: Cache, id: number): Undoable[] {
  const previous = findReceived(cache, id);
  return [
    ...editReceived(cache, (pages) => {
      removeFrom(pages, id);
    }),
    ...editSent(cache, (pages) => {
      removeFrom(pages, id);
    }),
    editStats(cache, (stats) => {
      if (previous === undefined) {
        stats.sent -= 1;
        return;
      }
      stats.received -= 1;
      stats[previous.isRead ? 'read' : 'unread'] -= 1;
    }),
  ];
}

/** Marks the messages that are pinned now. */
export function applyPins(cache: Cache, pinned: readonly { id: number }[]): void {
  editReceived(cache, (pages) => {
    for (const { items } of pages)
      for (const message of items)
        if (pinned.some(({ id }) => id === message.id)) message.pinned = true;
        else delete message.pinned;
  });
}

function changeIn(pages: Page<Message>[], id: number, change: MessageChange): void {
  for (const { items } of pages)
    for (const message of items) {
      if (message.id !== id) continue;
      Object.assign(message, change);
      if (!message.isPublic) delete message.pinned;
    }
}

function removeFrom(pages: Page<{ id: number }>[], id: number): void {
  for (const page of pages) page.items = page.items.filter((message) => message.id !== id);
}

function findReceived({ getState }: Cache, id: number): ReceivedMessage | undefined {
  const lists = util.selectCachedArgsForQuery(getState(), 'getReceived');
  const pages = lists.flatMap((list) => endpoints.getReceived.select(list)(getState()).data?.pages ?? []);
  return pages.flatMap(({ items }) => items).find((message) => message.id === id);
}

function editReceived(
  { dispatch, getState }: Cache,
  edit: (pages: Page<ReceivedMessage>[], filter: ReadFilter) => void,
): Undoable[] {
  return util.selectCachedArgsForQuery(getState(), 'getReceived').map((list) =>
    dispatch(
      util.updateQueryData('getReceived', list, ({ pages }) => {
        edit(pages, list.filter);
      }),
    ),
  );
}

function editSent({ dispatch, getState }: Cache, edit: (pages: Page<Message>[]) => void): Undoable[] {
  return util.selectCachedArgsForQuery(getState(), 'getSent').map((list) =>
    dispatch(
      util.updateQueryData('getSent', list, ({ pages }) => {
        edit(pages);
      }),
    ),
  );
}

const editStats = ({ dispatch }: Cache, edit: (stats: MessageStats) => void): Undoable =>
  dispatch(util.updateQueryData('getStats', undefined, edit));
