import { type Answer, buildRequest } from '@najwa/proto/http/client';
import { createContext } from 'react';
import type { ApiError } from '../../api/api-error.js';
import { api, NO_RETRY } from '../../api/api.js';
import type { Store } from '../../api/store.js';

export type WayBack = Answer<'getWayBack'>;

const wayBackApi = api.injectEndpoints({
  endpoints: (build) => ({
    getWayBack: build.query<WayBack, string>({
      query: (token) => buildRequest('getWayBack', { params: { token } }),
      providesTags: (_wayBack, _error, token) => [{ type: 'WayBack', id: token }],
    }),
    deleteWayBack: build.mutation<undefined, string>({
      query: (token) => buildRequest('deleteWayBack', { params: { token } }),
      extraOptions: NO_RETRY,
      // Also after a refusal: the page was stale.
      invalidatesTags: (_nothing, _error, token) => [
        { type: 'WayBack', id: token },
        { type: 'Message', id: 'SENT' },
        { type: 'Message', id: 'RECEIVED' },
        'Stats',
      ],
    }),
  }),
});

export const { useGetWayBackQuery, useDeleteWayBackMutation } = wayBackApi;

/** Written into the page by the gateway. */
export interface WayBackData {
  wayBack: WayBack | null;
  /** State of a deletion without scripts. */
  deletion?: 'asked' | 'done' | Pick<ApiError, 'status' | 'code' | 'message' | 'retryAfter' | 'maxBytes'>;
}

/** Null unless the gateway rendered the page. */
export const WayBackDataContext = createContext<WayBackData | null>(null);

export async function primeWayBack({ dispatch }: Store, token: string, { wayBack }: WayBackData): Promise<void> {
  if (wayBack !== null) await dispatch(wayBackApi.util.upsertQueryData('getWayBack', token, wayBack));
}
