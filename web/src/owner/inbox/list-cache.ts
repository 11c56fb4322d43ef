import { type Answer, buildRequest } from '@najwa/proto/http/client';
import { api } from '../../api/api.js';
import type { makeCall } from '../../api/call.js';
import { cursorPaging, type Page, pageParams, toPage } from '../../api/paging.js';
import type { Store } from '../../api/store.js';
import type { Message } from '../../shared/message/index.js';
import type { Filter, MessageMonth, MessageStats, ReadFilter, SentMessage, Sort } from './types.js';

/** Filter `read` has its own tag, see `updateMessage`. */
const receivedTag = (filter: ReadFilter) => ({ type: 'Message', id: filter === 'read' ? 'READ' : 'RECEIVED' }) as const;

interface List {
  sort: Sort;
  q: string;
  /** Time to begin at. Undefined for the list's own start. */
  start?: string | undefined;
}

/** Size of further pages. The first one is smaller, to arrive sooner. */
const FURTHER_PAGE_SIZE = 50;

/** Pages before the start are read in reverse, so each names the page that follows. */
type Place = { cursor: string | null; isBefore: false } | { cursor: string | null; isBefore: true; following: Place };

/** Newest page first, each with its oldest message first. */
export interface ConversationPage extends Page<Message> {
  /** With the first page, unless it was deleted. */
  beginning: Message | undefined;
}

/** `id` is of any of its messages, `first` the conversation's. */
export interface ConversationKey {
  id: number;
  first: number;
}

export interface ListPage<T> extends Page<T> {
  /** True before the start. Its cursor leads away from it. */
  isBefore: boolean;
}

const listPaging = {
  initialPageParam: { cursor: null, isBefore: false } as Place,
  getNextPageParam: ({ next }: Page<unknown>, _pages: unknown, last: Place): Place | undefined => {
    if (last.isBefore) return last.following;
    return next === null ? undefined : { cursor: next, isBefore: false };
  },
  getPreviousPageParam: (
    { next }: Page<unknown>,
    _pages: unknown,
    first: Place,
    _places: unknown,
    { start }: List,
  ): Place | undefined => {
    if (!first.isBefore) return start === undefined ? undefined : { cursor: null, isBefore: true, following: first };
    return next === null ? undefined : { cursor: next, isBefore: true, following: first };
  },
};

const OTHER: Record<Sort, Sort> = { newest: 'oldest', oldest: 'newest' };

const listParams = ({ sort, q, start }: List, { cursor, isBefore }: Place) => ({
  ...pageParams(cursor),
  sort: isBefore ? OTHER[sort] : sort,
  ...(q !== '' && { q }),
  ...((cursor !== null || isBefore) && { limit: FURTHER_PAGE_SIZE }),
  ...(cursor === null && start !== undefined && { start }),
});

function toListPage<T>(
  items: T[],
  meta: Parameters<typeof toPage>[1],
  { pageParam: { isBefore } }: { pageParam: Place },
): ListPage<T> {
  return { ...toPage(isBefore ? items.reverse() : items, meta), isBefore };
}

type Ask = (request: ReturnType<typeof buildRequest>) => ReturnType<typeof makeCall>;

/** One page. @returns ids of its messages */
export async function readTurns(ask: Ask, id: number, cursor: string | null = null) {
  const query = cursor === null ? {} : { before: Number(cursor) };
  const { data, error, meta } = await ask(buildRequest('getConversation', { params: { id }, query }));
  if (error !== undefined) return { error };
  const { items, next } = toPage(data as Answer<'getConversation'>, meta);
  return { ids: items.flatMap((turn) => (turn.from === 'sender' ? turn.id : [])), next };
}

export const listApi = api.injectEndpoints({
  endpoints: (build) => ({
    getReceived: build.infiniteQuery<ListPage<Message>, List & { filter: ReadFilter }, Place>({
      infiniteQueryOptions: listPaging,
      query: ({ queryArg, pageParam }) =>
        buildRequest('listMessages', { query: { filter: queryArg.filter, ...listParams(queryArg, pageParam) } }),
      transformResponse: (items: Message[], meta, arg) => toListPage(items, meta, arg),
      providesTags: (_result, _error, { filter }) => [receivedTag(filter)],
    }),
    /** Only messages that are in the inbox. */
    getByIds: build.query<Message[], number[]>({
      query: (ids) => buildRequest('listMessages', { query: { ids } }),
      keepUnusedDataFor: 0,
      providesTags: [{ type: 'Message', id: 'READ' }],
    }),
    /** The turns name the messages; what the recipient may do with them is of the messages. */
    getConversation: build.infiniteQuery<ConversationPage, ConversationKey, string | null>({
      infiniteQueryOptions: cursorPaging,
      queryFn: async ({ queryArg: { id, first }, pageParam }, _api, _options, baseQuery) => {
        const { error, ids = [], next = null } = await readTurns(baseQuery, id, pageParam);
        if (error !== undefined) return { error };
        const read = await baseQuery(buildRequest('listMessages', { query: { ids: [...new Set([first, ...ids])] } }));
        if (read.error !== undefined) return { error: read.error };
        const messages = new Map((read.data as Message[]).map((message) => [message.id, message]));
        const items = ids.flatMap((each) => messages.get(each) ?? []);
        return { data: { items, next, beginning: messages.get(first) } };
      },
      keepUnusedDataFor: 0,
      providesTags: [{ type: 'Message', id: 'CONVERSATION' }],
    }),
    /** Separate from the displayed list. */
    getNewest: build.query<Message[], void>({
      query: () => buildRequest('listMessages', { query: { filter: 'all', ...pageParams(null) } }),
      keepUnusedDataFor: 0,
    }),
    getSent: build.infiniteQuery<ListPage<SentMessage>, List, Place>({
      infiniteQueryOptions: listPaging,
      query: ({ queryArg, pageParam }) => buildRequest('listSentMessages', { query: listParams(queryArg, pageParam) }),
      transformResponse: (items: SentMessage[], meta, arg) => toListPage(items, meta, arg),
      providesTags: [{ type: 'Message', id: 'SENT' }],
    }),
    /** In the device's time zone, or without one that the server does not know. */
    getMonths: build.query<MessageMonth[], Filter>({
      queryFn: async (of, _api, _options, baseQuery) => {
        const ask = (query: { of: Filter; zone?: string }) => baseQuery(buildRequest('listMessageMonths', { query }));
        const asked = await ask({ of, zone: new Intl.DateTimeFormat().resolvedOptions().timeZone });
        const { data, error } = asked.error?.fields['zone'] === undefined ? asked : await ask({ of });
        return error === undefined ? { data: data as MessageMonth[] } : { error };
      },
      keepUnusedDataFor: 0,
    }),
    getStats: build.query<MessageStats, void>({
      query: () => buildRequest('getMessageStats'),
      providesTags: ['Stats'],
    }),
  }),
});

export const {
  useGetByIdsQuery,
  useGetConversationInfiniteQuery,
  useGetMonthsQuery,
  useGetReceivedInfiniteQuery,
  useGetSentInfiniteQuery,
  useGetStatsQuery,
} = listApi;

export type MessageChange = Partial<Pick<Message, 'isRead' | 'isPublic' | 'reply' | 'hasEnded'>>;

type Cache = Pick<Store, 'dispatch' | 'getState'>;

interface Undoable {
  undo: () => void;
}

const { endpoints, util } = listApi;

export async function revertOnError(answer: Promise<unknown>, updates: readonly Undoable[]): Promise<void> {
  try {
    await answer;
  } catch {
    // The caller shows the error.
    for (const { undo } of updates) undo();
  }
}

export function applyChange(cache: Cache, ids: readonly number[], change: MessageChange): Undoable[] {
  const given = new Set(ids);
  const unread = new Set(receivedIn(cache).flatMap(({ id, isRead }) => (given.has(id) && !isRead ? id : [])));
  return [
    ...editReceived(cache, (pages, filter) => {
      changeIn(pages, given, change);
      if (filter === 'unread' && change.isRead === true) removeFrom(pages, given);
    }),
    ...editOthers(cache, (pages) => changeIn(pages, given, change)),
    editStats(cache, (stats) => {
      if (change.isRead !== true) return;
      stats.unread -= unread.size;
      stats.read += unread.size;
    }),
  ];
}

export function applyRemoval(cache: Cache, id: number): Undoable[] {
  const previous = receivedIn(cache).find((message) => message.id === id);
  const given = new Set([id]);
  return [
    ...editReceived(cache, (pages) => removeFrom(pages, given)),
    ...editOthers(cache, (pages) => removeFrom(pages, given)),
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

export function applyPins(cache: Cache, pinned: readonly { id: number }[]): void {
  editReceived(cache, (pages) => {
    for (const { items } of pages)
      for (const message of items)
        if (pinned.some(({ id }) => id === message.id)) message.pinned = true;
        else delete message.pinned;
  });
}

/**
 * @param ids requested. Those not found are gone
 * @returns ids that a list showed and are gone, and whether counts are affected
 */
export function applyStates(
  cache: Cache,
  ids: readonly number[],
  found: readonly Message[],
  shown: ReadFilter | null,
): { gone: number[]; isChanged: boolean } {
  const states = new Map(found.map((message) => [message.id, message]));
  const known = new Set<number>();
  const gone = new Set<number>();
  const turned = new Set<number>();
  editReceived(cache, (pages, filter) => {
    for (const page of pages)
      page.items = page.items.filter((message) => {
        if (!ids.includes(message.id)) return true;
        known.add(message.id);
        const state = states.get(message.id);
        if (state === undefined) {
          gone.add(message.id);
          return false;
        }
        if (message.isRead !== state.isRead) turned.add(message.id);
        setState(message, state);
        return !(filter === 'unread' && shown !== 'unread' && state.isRead);
      });
  });
  editSent(cache, (pages) => {
    for (const page of pages)
      for (const message of page.items) {
        const state = states.get(message.id);
        if (state !== undefined) setState(message, state);
      }
    removeFrom(pages, gone);
  });
  return { gone: [...gone], isChanged: turned.size > 0 || gone.size > 0 || ids.some((id) => !known.has(id)) };
}

function setState(message: Message, { isRead, isPublic, pinned, reply, conversationId, hasEnded }: Message): void {
  Object.assign(message, { isRead, isPublic, conversationId, hasEnded });
  if (message.reply?.createdAt !== reply?.createdAt || message.reply?.content !== reply?.content) message.reply = reply;
  if (pinned === true) message.pinned = true;
  else delete message.pinned;
}

const receivedIn = ({ getState }: Pick<Cache, 'getState'>): Message[] =>
  util
    .selectCachedArgsForQuery(getState(), 'getReceived')
    .flatMap((list) => endpoints.getReceived.select(list)(getState()).data?.pages ?? [])
    .flatMap(({ items }) => items);

export const cachedIds = (cache: Pick<Cache, 'getState'>): number[] => receivedIn(cache).map(({ id }) => id);

/** The newest messages that no list has. None before the inbox was read. */
export function findMissed(cache: Pick<Cache, 'getState'>, newest: readonly { id: number }[]): number[] {
  const inbox = endpoints.getReceived.select({ filter: 'all', sort: 'newest', q: '' })(cache.getState()).data;
  if (inbox === undefined) return [];
  const known = new Set(cachedIds(cache));
  const first = newest.findIndex(({ id }) => known.has(id));
  return newest.slice(0, first === -1 ? newest.length : first).map(({ id }) => id);
}

function changeIn(pages: Page<Message>[], ids: ReadonlySet<number>, change: MessageChange): void {
  for (const { items } of pages)
    for (const message of items) {
      if (!ids.has(message.id)) continue;
      Object.assign(message, change);
      if (!message.isPublic) delete message.pinned;
    }
}

function removeFrom(pages: Page<{ id: number }>[], ids: ReadonlySet<number>): void {
  for (const page of pages) page.items = page.items.filter(({ id }) => !ids.has(id));
}

function editReceived(
  { dispatch, getState }: Cache,
  edit: (pages: Page<Message>[], filter: ReadFilter) => void,
): Undoable[] {
  return util
    .selectCachedArgsForQuery(getState(), 'getReceived')
    .map((list) => dispatch(util.updateQueryData('getReceived', list, ({ pages }) => edit(pages, list.filter))));
}

function editSent({ dispatch, getState }: Cache, edit: (pages: Page<Message>[]) => void): Undoable[] {
  return util
    .selectCachedArgsForQuery(getState(), 'getSent')
    .map((list) => dispatch(util.updateQueryData('getSent', list, ({ pages }) => edit(pages))));
}

const editOthers = (cache: Cache, edit: (pages: Page<Message>[]) => void): Undoable[] => [
  ...editSent(cache, edit),
  ...util
    .selectCachedArgsForQuery(cache.getState(), 'getConversation')
    .map((conversation) =>
      cache.dispatch(util.updateQueryData('getConversation', conversation, ({ pages }) => edit(pages))),
    ),
];

const editStats = ({ dispatch }: Cache, edit: (stats: MessageStats) => void): Undoable =>
  dispatch(util.updateQueryData('getStats', undefined, edit));
