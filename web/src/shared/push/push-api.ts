import { type Answer, type Body, buildRequest } from '@najwa/proto/http/client';
import { api } from '../../api/api.js';
import { changeSet } from '../../lib/change-set.js';

export type PushSubscription = Answer<'listPushSubscriptions'>[number];
export type PushChange = Body<'updatePushSubscription'>;

const pushApi = api.injectEndpoints({
  endpoints: (build) => ({
    getPushKey: build.query<Answer<'getPushKey'>, void>({ query: () => buildRequest('getPushKey') }),
    getPushSubscriptions: build.query<PushSubscription[], void>({
      query: () => buildRequest('listPushSubscriptions'),
      providesTags: ['Push'],
    }),
    createPushSubscription: build.mutation<PushSubscription, Body<'createPushSubscription'>>({
      query: (body) => buildRequest('createPushSubscription', { body }),
      invalidatesTags: (_created, _error, { wayBack }) => (wayBack === undefined ? ['Push'] : []),
    }),
    updatePushSubscription: build.mutation<PushSubscription, { id: string; change: PushChange }>({
      query: ({ id, change }) => buildRequest('updatePushSubscription', { params: { id }, body: change }),
      onQueryStarted: async ({ id, change }, { dispatch, queryFulfilled }) => {
        const shown = dispatch(
          pushApi.util.updateQueryData('getPushSubscriptions', undefined, (list) => {
            const changed = list.find((one) => one.id === id);
            if (changed === undefined) return;
            const { kinds, ...others } = change;
            Object.assign(changed, others);
            if (kinds !== undefined) changed.kinds = Array.isArray(kinds) ? kinds : changeSet(changed.kinds, kinds);
          }),
        );
        // The section shows the error.
        await queryFulfilled.catch(shown.undo);
      },
      invalidatesTags: (_changed, error) => (error === undefined ? [] : ['Push']),
    }),
    deletePushSubscription: build.mutation<undefined, { id: string; wayBack?: string }>({
      query: ({ id, wayBack }) =>
        buildRequest('deletePushSubscription', { params: { id }, query: wayBack === undefined ? {} : { wayBack } }),
      invalidatesTags: ['Push'],
    }),
    testPushSubscription: build.mutation<undefined, string>({
      query: (id) => buildRequest('testPushSubscription', { params: { id } }),
    }),
  }),
});

export const {
  useLazyGetPushKeyQuery,
  useGetPushSubscriptionsQuery,
  useCreatePushSubscriptionMutation,
  useUpdatePushSubscriptionMutation,
  useDeletePushSubscriptionMutation,
  useTestPushSubscriptionMutation,
} = pushApi;

export const { getPushKey, updatePushSubscription } = pushApi.endpoints;
