import { NO_CONTENT, NO_RETRY } from '../../app/api.js';
import { applyChange, applyRemoval, revertOnError, type MessageChange } from './optimistic.js';
import { messageQueries } from './queries.js';
import type { ReceivedMessage, Reply } from './types.js';

/** What is to be asked for anew after a change, also after one that failed: its answer may have been lost on the way. */
const changed = (id: number) => [
  { type: 'Message' as const, id },
  { type: 'Message' as const, id: 'RECEIVED' },
  { type: 'Message' as const, id: 'SENT' },
  'Stats' as const,
  'PublicMessages' as const,
];

const messagesApi = messageQueries.injectEndpoints({
  endpoints: (build) => ({
    updateMessage: build.mutation<ReceivedMessage, { id: number; change: MessageChange }>({
      query: ({ id, change }) => ({ url: `/messages/${String(id)}`, method: 'PATCH', body: change }),
      onQueryStarted: ({ id, change }, { queryFulfilled, ...cache }) =>
        revertOnError(queryFulfilled, applyChange(cache, id, change)),
      invalidatesTags: (_message, _error, { id }) => changed(id),
    }),
    deleteMessage: build.mutation<null, number>({
      query: (id) => ({ url: `/messages/${String(id)}`, method: 'DELETE', ...NO_CONTENT }),
      onQueryStarted: (id, { queryFulfilled, ...cache }) => revertOnError(queryFulfilled, applyRemoval(cache, id)),
      extraOptions: NO_RETRY,
      transformResponse: () => null,
      invalidatesTags: (_nothing, _error, id) => changed(id),
    }),
    sendReply: build.mutation<Reply, { messageId: number; content: string; key: string }>({
      query: ({ messageId, content, key }) => ({
        url: '/replies',
        method: 'POST',
        body: { messageId, content },
        headers: { 'Idempotency-Key': key },
      }),
      invalidatesTags: (_reply, error, { messageId }) =>
        error === undefined ? [{ type: 'Reply', id: messageId }, ...changed(messageId)] : [],
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
