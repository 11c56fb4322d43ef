import { type Answer, type Body, buildRequest } from '@najwa/proto/http/client';
import { api } from '../../api/api.js';

export type ReceivingSettings = Answer<'getReceiving'>;

const receivingApi = api.injectEndpoints({
  endpoints: (build) => ({
    getReceiving: build.query<ReceivingSettings, void>({
      query: () => buildRequest('getReceiving'),
      providesTags: ['Receiving'],
    }),
    updateReceiving: build.mutation<ReceivingSettings, Body<'updateReceiving'>>({
      query: (body) => buildRequest('updateReceiving', { body }),
      invalidatesTags: ['Profile', 'User'],
      onQueryStarted: async (_change, { dispatch, queryFulfilled }) => {
        try {
          const { data } = await queryFulfilled;
          await dispatch(receivingApi.util.upsertQueryData('getReceiving', undefined, data));
        } catch {
          // The form shows the error.
        }
      },
    }),
  }),
});

export const { useGetReceivingQuery, useUpdateReceivingMutation } = receivingApi;
