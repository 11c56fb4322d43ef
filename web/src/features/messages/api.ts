import { api, NO_CONTENT, ONCE } from '../../app/api.js';
import { cursorPaging, pageParams, toPage } from './paging.js';
import type { MessageStats, Page, ReadFilter, ReceivedMessage, Reply, SentMessage, Sort } from './types.js';

const REPLY_FRESH = 60;

const tagsOf = (pages: readonly Page<{ id: number }>[] | undefined, list: 'RECEIVED' | 'SENT') => [
  { type: 'Message' as const, id: list },
  ...(pages ?? []).flatMap(({ items }) => items.map(({ id }) => ({ type: 'Message' as const, id }))),
];

const changed = (id: number) => [
  { type: 'Message' as const, id },
  { type: 'Message' as const, id: 'RECEIVED' },
  { type: 'Message' as const, id: 'SENT' },
  'Stats' as const,
  'PublicMessages' as const,
];

const messagesApi = api.injectEndpoints({
  endpoints: (build) => ({
    getReceived: build.infiniteQuery<Page<ReceivedMessage>, { filter: ReadFilter; sort: Sort }, string | null>({
      infiniteQueryOptions: cursorPaging,
      query: ({ queryArg: { filter, sort }, pageParam }) => ({ url: '/messages', params: { filter, sort, ...pageParams(pageParam) } }),
      transformResponse: (items: ReceivedMessage[], meta) => toPage(items, meta),
      providesTags: (result) => tagsOf(result?.pages, 'RECEIVED'),
    }),
    getSent: build.infiniteQuery<Page<SentMessage>, { sort: Sort }, string | null>({
      infiniteQueryOptions: cursorPaging,
      query: ({ queryArg: { sort }, pageParam }) => ({ url: '/messages/sent', params: { sort, ...pageParams(pageParam) } }),
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
          // A card without its reply is still worth reading.
          console.warn('A reply could not be loaded.');
        }
      },
    }),
    updateMessage: build.mutation<ReceivedMessage, { id: number; change: { isRead: true } | { isPublic: boolean } }>({
      query: ({ id, change }) => ({ url: `/messages/${String(id)}`, method: 'PATCH', body: change }),
      invalidatesTags: (_message, error, { id }) => (error === undefined ? changed(id) : []),
    }),
    deleteMessage: build.mutation<null, number>({
      query: (id) => ({ url: `/messages/${String(id)}`, method: 'DELETE', ...NO_CONTENT }),
      extraOptions: ONCE,
      transformResponse: () => null,
      invalidatesTags: (_nothing, error, id) => (error === undefined ? changed(id) : []),
    }),
    sendReply: build.mutation<Reply, { messageId: number; content: string; key: string }>({
      query: ({ messageId, content, key }) => ({ url: '/replies', method: 'POST', body: { messageId, content }, headers: { 'Idempotency-Key': key } }),
      invalidatesTags: (_reply, error, { messageId }) => (error === undefined ? [{ type: 'Reply', id: messageId }, ...changed(messageId)] : []),
    }),
  }),
});

export const {
  useGetReceivedInfiniteQuery,
  useGetSentInfiniteQuery,
  useGetStatsQuery,
  useGetReplyQuery,
  useUpdateMessageMutation,
  useDeleteMessageMutation,
  useSendReplyMutation,
} = messagesApi;
