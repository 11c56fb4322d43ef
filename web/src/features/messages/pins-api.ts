import { buildRequest } from '@najwa/proto/http/client';
import { isApiError } from '../../app/api-error.js';
import { api } from '../../app/api.js';
import { applyPins } from './optimistic.js';
import type { ReceivedMessage } from './types.js';

/** The pinned messages in their order. */
export interface Pins {
  pinned: ReceivedMessage[];
  tag: string | undefined;
}

export const isChangedElsewhere = (error: unknown): boolean => isApiError(error) && error.code === 'changed_elsewhere';

const pinsApi = api.injectEndpoints({
  endpoints: (build) => ({
    getPinned: build.query<Pins, void>({
      query: () => buildRequest('listPinnedMessages'),
      transformResponse: (pinned: ReceivedMessage[], meta) => ({
        pinned,
        tag: meta?.response.headers.get('etag') ?? undefined,
      }),
      keepUnusedDataFor: 0,
    }),
    /** Refused if others are pinned by now than those that the tag is of. */
    pinMessages: build.mutation<ReceivedMessage[], { ids: number[]; tag: string | undefined }>({
      query: ({ ids, tag }) => buildRequest('pinMessages', { body: { ids }, ifMatch: tag }),
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
