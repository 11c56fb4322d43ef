import { type Answer, buildRequest } from '@najwa/proto/http/client';
import { NO_RETRY } from '../../app/api.js';
import { applyChange, applyRemoval, revertOnError } from './optimistic.js';
import { messageQueries } from './queries.js';
import type { ReceivedMessage } from './types.js';

type Update = { isRead: true } | { isPublic: boolean };

const EVERY_LIST = [
  { type: 'Message', id: 'RECEIVED' },
  { type: 'Message', id: 'READ' },
  { type: 'Message', id: 'SENT' },
  'Stats',
  'PublicMessages',
] as const;

/**
 * Tags to invalidate after a change. A successful change is already in the cached lists and is not refetched, except
 * for the list of read messages: it may have to show another message now, and while an unread message is on the page
 * that list is not, so it is only dropped. After an error the lists may be out of date, or the answer was lost.
 */
const changedTags = (error: unknown) =>
  error === undefined ? [{ type: 'Message', id: 'READ' } as const, 'PublicMessages' as const] : EVERY_LIST;

const messagesApi = messageQueries.injectEndpoints({
  endpoints: (build) => ({
    updateMessage: build.mutation<ReceivedMessage, { id: number; change: Update }>({
      query: ({ id, change }) => buildRequest('updateMessage', { params: { id }, body: change }),
      onQueryStarted: ({ id, change }, { queryFulfilled, ...cache }) =>
        revertOnError(
          queryFulfilled.then(({ data: { isRead, isPublic, reply } }) => {
            applyChange(cache, id, { isRead, isPublic, reply });
          }),
          applyChange(cache, id, change),
        ),
      invalidatesTags: (_message, error) => [...changedTags(error)],
    }),
    deleteMessage: build.mutation<null, number>({
      query: (id) => buildRequest('deleteMessage', { params: { id } }),
      onQueryStarted: (id, { queryFulfilled, ...cache }) => revertOnError(queryFulfilled, applyRemoval(cache, id)),
      extraOptions: NO_RETRY,
      transformResponse: () => null,
      invalidatesTags: (_nothing, error) => (error === undefined ? ['PublicMessages'] : [...EVERY_LIST]),
    }),
    sendReply: build.mutation<Answer<'createReply'>, { messageId: number; content: string; key: string }>({
      query: ({ messageId, content, key }) =>
        buildRequest('createReply', { body: { messageId, content }, idempotencyKey: key }),
      onQueryStarted: async ({ messageId }, { queryFulfilled, ...cache }) => {
        try {
          const { content, createdAt } = (await queryFulfilled).data;
          applyChange(cache, messageId, { reply: { content, createdAt }, isRead: true });
        } catch {
          // The dialog shows the error.
        }
      },
      invalidatesTags: (_reply, error) => (error === undefined ? [...changedTags(error)] : []),
    }),
  }),
});

export const {
  useGetReceivedInfiniteQuery,
  useGetSentInfiniteQuery,
  useGetMonthsQuery,
  useGetStatsQuery,
  useUpdateMessageMutation,
  useDeleteMessageMutation,
  useSendReplyMutation,
} = messagesApi;
