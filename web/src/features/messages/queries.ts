import { buildRequest } from '@najwa/proto/http/client';
import { api } from '../../app/api.js';
import { cursorPaging, type Page, pageParams, toPage } from '../../app/paging.js';
import type { Filter, MessageMonth, MessageStats, ReadFilter, ReceivedMessage, SentMessage, Sort } from './types.js';

/** The received list with filter `read` has a tag of its own, see `useUpdateMessageMutation`. */
const receivedTag = (filter: ReadFilter) => ({ type: 'Message', id: filter === 'read' ? 'READ' : 'RECEIVED' }) as const;

interface List {
  sort: Sort;
  /** Words to search for. Empty for all messages. */
  q: string;
  /** The time at which the list begins. Undefined for its own beginning. */
  start?: string | undefined;
}

/** Messages on every page but the first, which is there sooner. */
const FURTHER = 50;

const listParams = ({ sort, q, start }: List, before: string | null) => ({
  ...pageParams(before),
  sort,
  ...(q !== '' && { q }),
  ...(before !== null && { limit: FURTHER }),
  ...(before === null && start !== undefined && { start }),
});

export const messageQueries = api.injectEndpoints({
  endpoints: (build) => ({
    getReceived: build.infiniteQuery<Page<ReceivedMessage>, List & { filter: ReadFilter }, string | null>({
      infiniteQueryOptions: cursorPaging,
      query: ({ queryArg, pageParam }) =>
        buildRequest('listMessages', { query: { filter: queryArg.filter, ...listParams(queryArg, pageParam) } }),
      transformResponse: (items: ReceivedMessage[], meta) => toPage(items, meta),
      providesTags: (_result, _error, { filter }) => [receivedTag(filter)],
    }),
    /** Those of some messages that are in the inbox, as they are now. */
    getByIds: build.query<ReceivedMessage[], number[]>({
      query: (ids) => buildRequest('listMessages', { query: { ids } }),
      keepUnusedDataFor: 0,
    }),
    /** The first page of the inbox, beside the list that shows it. */
    getNewest: build.query<ReceivedMessage[], void>({
      query: () => buildRequest('listMessages', { query: { filter: 'all', ...pageParams(null) } }),
      keepUnusedDataFor: 0,
    }),
    getSent: build.infiniteQuery<Page<SentMessage>, List, string | null>({
      infiniteQueryOptions: cursorPaging,
      query: ({ queryArg, pageParam }) => buildRequest('listSentMessages', { query: listParams(queryArg, pageParam) }),
      transformResponse: (items: SentMessage[], meta) => toPage(items, meta),
      providesTags: [{ type: 'Message', id: 'SENT' }],
    }),
    /** Months of a list, for the time zone that the device shows times in. */
    getMonths: build.query<MessageMonth[], Filter>({
      query: (of) =>
        buildRequest('listMessageMonths', {
          query: { of, zone: new Intl.DateTimeFormat().resolvedOptions().timeZone },
        }),
      keepUnusedDataFor: 0,
    }),
    getStats: build.query<MessageStats, void>({
      query: () => buildRequest('getMessageStats'),
      providesTags: ['Stats'],
    }),
  }),
});
