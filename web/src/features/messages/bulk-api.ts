import { type Answer, buildRequest } from '@najwa/proto/http/client';
import { api, NO_RETRY } from '../../app/api.js';
import { applyChange, applyRemoval, revertOnError } from './optimistic.js';
import type { ReceivedMessage } from './types.js';

export type BulkAction = 'read' | 'publish' | 'unpublish' | 'delete';

const CHANGES = { read: { isRead: true }, publish: { isPublic: true }, unpublish: { isPublic: false } } as const;

const bulkApi = api.injectEndpoints({
  endpoints: (build) => ({
    changeMessages: build.mutation<Answer<'changeMessages'>, { ids: number[]; action: BulkAction }>({
      query: (body) => buildRequest('changeMessages', { body }),
      extraOptions: NO_RETRY,
      onQueryStarted: async ({ action }, { queryFulfilled, ...cache }) => {
        try {
          const { done } = (await queryFulfilled).data;
          for (const id of done) {
            if (action === 'delete') applyRemoval(cache, id);
            else applyChange(cache, id, CHANGES[action]);
          }
        } catch {
          // The caller shows the error.
        }
      },
      invalidatesTags: (_answer, error) =>
        error === undefined
          ? [{ type: 'Message', id: 'READ' }, 'PublicMessages']
          : ['Message', 'Stats', 'PublicMessages'],
    }),
    /** Deletes a received message, so that it can be taken back. */
    deleteReceived: build.mutation<Answer<'changeMessages'>, number>({
      query: (id) => buildRequest('changeMessages', { body: { ids: [id], action: 'delete' } }),
      extraOptions: NO_RETRY,
      onQueryStarted: (id, { queryFulfilled, ...cache }) => revertOnError(queryFulfilled, applyRemoval(cache, id)),
      invalidatesTags: (_answer, error) =>
        error === undefined ? ['PublicMessages'] : ['Message', 'Stats', 'PublicMessages'],
    }),
    undoMessages: build.mutation<ReceivedMessage[], string>({
      query: (undoToken) => buildRequest('undoMessages', { body: { undoToken } }),
      invalidatesTags: ['Message', 'Stats', 'PublicMessages', 'Notification'],
    }),
  }),
});

export const { useChangeMessagesMutation, useDeleteReceivedMutation, useUndoMessagesMutation } = bulkApi;
