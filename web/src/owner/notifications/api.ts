import { type Answer, type Body, buildRequest } from '@najwa/proto/http/client';
import { api } from '../../api/api.js';
import { changeSet } from '../../lib/change-set.js';
import { cursorPaging, type Page, pageParams, toPage } from '../../api/paging.js';

export type Notification = Answer<'listNotifications'>[number];

const notificationsApi = api.injectEndpoints({
  endpoints: (build) => ({
    getNotifications: build.infiniteQuery<Page<Notification>, void, string | null>({
      infiniteQueryOptions: cursorPaging,
      query: ({ pageParam }) => buildRequest('listNotifications', { query: pageParams(pageParam) }),
      transformResponse: (items: Notification[], meta) => toPage(items, meta),
      providesTags: ['Notification'],
    }),
    countNotifications: build.query<Answer<'countNotifications'>, void>({
      query: () => buildRequest('countNotifications'),
      providesTags: ['Notification'],
    }),
    getNotificationSettings: build.query<Answer<'getNotificationSettings'>, void>({
      query: () => buildRequest('getNotificationSettings'),
      providesTags: ['Notification'],
    }),
    changeNotificationSettings: build.mutation<
      Answer<'changeNotificationSettings'>,
      Body<'changeNotificationSettings'>
    >({
      query: (body) => buildRequest('changeNotificationSettings', { body }),
      onQueryStarted: async ({ kinds }, { dispatch, queryFulfilled }) => {
        const shown = dispatch(
          notificationsApi.util.updateQueryData('getNotificationSettings', undefined, (shownNow) => {
            shownNow.kinds = changeSet(shownNow.kinds, kinds);
          }),
        );
        // The section shows the error.
        await queryFulfilled.catch(shown.undo);
      },
      invalidatesTags: ['Notification'],
    }),
    readNotifications: build.mutation<Answer<'readNotifications'>, Body<'readNotifications'>>({
      query: (body) => buildRequest('readNotifications', { body }),
      invalidatesTags: ['Notification'],
    }),
  }),
});

export const {
  useGetNotificationsInfiniteQuery,
  useCountNotificationsQuery,
  useReadNotificationsMutation,
  useGetNotificationSettingsQuery,
  useChangeNotificationSettingsMutation,
} = notificationsApi;
