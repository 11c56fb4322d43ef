import { api } from '../../app/api.js';
import { cursorPaging, pageParams, toPage } from './paging.js';
import type { MessageStats, Page, ReadFilter, ReceivedMessage, Reply, SentMessage, Sort } from './types.js';

const REPLY_FRESH = 60;

const tagsOf = (pages: readonly Page<{ id: number }>[] | undefined, list: 'RECEIVED' | 'SENT') => [
  { type: 'Message' as const, id: list },
  ...(pages ?? []).flatMap(({ items }) => items.map(({ id }) => ({ type: 'Message' as const, id }))),
];

export const messageQueries = api.injectEndpoints({
  endpoints: (build) => ({
    getReceived: build.infiniteQuery<Page<ReceivedMessage>, { filter: ReadFilter; sort: Sort }, string | null>({
      infiniteQueryOptions: cursorPaging,
      query: ({ queryArg: { filter, sort }, pageParam }) => ({
        url: '/messages',
        params: { filter, sort, ...pageParams(pageParam) },
      }),
      transformResponse: (items: ReceivedMessage[], meta) => toPage(items, meta),
      providesTags: (result) => tagsOf(result?.pages, 'RECEIVED'),
    }),
    getSent: build.infiniteQuery<Page<SentMessage>, { sort: Sort }, string | null>({
      infiniteQueryOptions: cursorPaging,
      query: ({ queryArg: { sort }, pageParam }) => ({
        url: '/messages/sent',
        params: { sort, ...pageParams(pageParam) },
      }),
      transformResponse: (items: SentMessage[], meta) => toPage(items, meta),
      providesTags: (result) => tagsOf(result?.pages, 'SENT'),
    }),
    getStats: build.query<MessageStats, void>({
      query: () => '/messages/stats',
      providesTags: ['Stats'],
    }),
    getReply: build.query<Reply | null, number>({
      query: (messageId) => `/replies/${String(messageId)}`,
      keepUnusedDataFor: REPLY_FRESH,
      providesTags: (_reply, _error, messageId) => [{ type: 'Reply', id: messageId }],
      onQueryStarted: async (_messageId, { queryFulfilled }) => {
        try {
          await queryFulfilled;
        } catch {
          console.warn('A reply could not be loaded.');
        }
      },
    }),
  }),
});
