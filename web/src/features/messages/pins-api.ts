import { buildRequest } from '@najwa/proto/http/client';
import { api } from '../../app/api.js';
import { applyPins } from './optimistic.js';
import type { ReceivedMessage } from './types.js';

const pinsApi = api.injectEndpoints({
  endpoints: (build) => ({
    getPinned: build.query<ReceivedMessage[], void>({
      query: () => buildRequest('listPinnedMessages'),
      keepUnusedDataFor: 0,
    }),
    pinMessages: build.mutation<ReceivedMessage[], number[]>({
      query: (ids) => buildRequest('pinMessages', { body: { ids } }),
      onQueryStarted: async (_ids, { queryFulfilled, ...cache }) => {
        try {
          applyPins(cache, (await queryFulfilled).data);
        } catch {
          // The caller shows the error.
        }
      },
      invalidatesTags: (_pinned, error) =>
        error === undefined ? ['PublicMessages'] : [{ type: 'Message', id: 'RECEIVED' }, 'PublicMessages'],
    }),
  }),
});

export const { useLazyGetPinnedQuery, usePinMessagesMutation } = pinsApi;
