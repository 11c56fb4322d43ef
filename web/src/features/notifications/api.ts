import { type Answer, type Body, buildRequest } from '@najwa/proto/http/client';
import { api } from '../../app/api.js';
import { cursorPaging, type Page, pageParams, toPage } from '../messages/index.js';

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
    updateNotificationSettings: build.mutation<
      Answer<'updateNotificationSettings'>,
      Body<'updateNotificationSettings'>
    >({
      query: (body) => buildRequest('updateNotificationSettings', { body }),
      onQueryStarted: async ({ kinds }, { dispatch, queryFulfilled }) => {
        const shown = dispatch(
          notificationsApi.util.updateQueryData('getNotificationSettings', undefined, () => ({ kinds })),
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
  useUpdateNotificationSettingsMutation,
} = notificationsApi;
