import { type Answer, buildRequest } from '@najwa/proto/http/client';
import { api } from '../../app/api.js';

export type WayBack = Answer<'getWayBack'>;

const wayBackApi = api.injectEndpoints({
  endpoints: (build) => ({
    getWayBack: build.query<WayBack, string>({
      query: (token) => buildRequest('getWayBack', { params: { token } }),
      providesTags: (_wayBack, _error, token) => [{ type: 'WayBack', id: token }],
    }),
    deleteWayBack: build.mutation<undefined, string>({
      query: (token) => buildRequest('deleteWayBack', { params: { token } }),
      // Also after a refusal: what is shown was out of date.
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
