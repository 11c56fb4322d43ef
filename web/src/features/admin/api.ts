import { type Answer, buildRequest } from '@najwa/proto/http/client';
import type { FetchBaseQueryMeta } from '@reduxjs/toolkit/query';
import { api } from '../../app/api.js';
import { cursorPaging, type Page, pageParams, toPage } from '../messages/index.js';
import type {
  AuditEntry,
  Conversation,
  CountedPage,
  NewAdministrator,
  Recipient,
  TrackingFilter,
  TrackingRecord,
} from './types.js';

function toCountedPage<T>(items: T[], meta: FetchBaseQueryMeta | undefined): CountedPage<T> {
  const total = meta?.response?.headers.get('x-total-count') ?? null;
  return { ...toPage(items, meta), total: total === null ? null : Number(total) };
}

const adminApi = api.injectEndpoints({
  endpoints: (build) => ({
    getTracking: build.infiniteQuery<CountedPage<TrackingRecord>, TrackingFilter, string | null>({
      infiniteQueryOptions: cursorPaging,
      query: ({ queryArg: filter, pageParam }) =>
        buildRequest('listSenderTracking', { query: { ...filter, ...pageParams(pageParam) } }),
      transformResponse: (items: TrackingRecord[], meta) => toCountedPage(items, meta),
      providesTags: ['Tracking'],
      onQueryStarted: async (_filter, { queryFulfilled }) => {
        try {
          await queryFulfilled;
        } catch {
          console.warn('Failed to get tracking data.');
        }
      },
    }),
    getRecipient: build.query<Recipient, number>({
      query: (id) => buildRequest('getUserById', { params: { id } }),
      providesTags: (recipient) => (recipient === undefined ? [] : [{ type: 'Profile', id: recipient.id }]),
    }),
    findRecipient: build.query<Recipient | null, string>({
      // An unknown username is a valid answer, not an error.
      queryFn: async (username, _api, _options, baseQuery) => {
        const { data, error } = await baseQuery(buildRequest('getPublicUser', { params: { username } }));
        if (error === undefined) return { data: data as Recipient };
        return error.status === 404 ? { data: null } : { error };
      },
    }),
    getConversations: build.infiniteQuery<CountedPage<Conversation>, void, string | null>({
      infiniteQueryOptions: cursorPaging,
      query: ({ pageParam }) => buildRequest('listChatBotMessages', { query: pageParams(pageParam) }),
      transformResponse: (items: Conversation[], meta) => toCountedPage(items, meta),
      providesTags: ['Conversation'],
    }),
    deleteConversation: build.mutation<Answer<'deleteChatBotMessage'>, number>({
      query: (id) => buildRequest('deleteChatBotMessage', { params: { id } }),
      // Also after an error: the list may be out of date.
      invalidatesTags: ['Conversation'],
    }),
    deleteConversations: build.mutation<Answer<'deleteChatBotMessages'>, void>({
      query: () => buildRequest('deleteChatBotMessages'),
      invalidatesTags: ['Conversation'],
    }),
    getAudit: build.infiniteQuery<Page<AuditEntry>, void, string | null>({
      infiniteQueryOptions: cursorPaging,
      query: ({ pageParam }) => buildRequest('listAudit', { query: pageParams(pageParam) }),
      transformResponse: (items: AuditEntry[], meta) => toPage(items, meta),
      providesTags: ['Audit'],
    }),
    createAdministrator: build.mutation<Answer<'createAdmin'>, { account: NewAdministrator; key: string }>({
      query: ({ account, key }) => buildRequest('createAdmin', { body: account, idempotencyKey: key }),
      invalidatesTags: ['Audit'],
    }),
  }),
});

export const {
  useGetTrackingInfiniteQuery,
  useGetRecipientQuery,
  useFindRecipientQuery,
  useGetConversationsInfiniteQuery,
  useDeleteConversationMutation,
  useDeleteConversationsMutation,
  useGetAuditInfiniteQuery,
  useCreateAdministratorMutation,
} = adminApi;

/** Looks up recipients by id, one request per account. Undefined while loading or if the account is gone. */
export function useRecipient(userId: number): Recipient | undefined {
  return useGetRecipientQuery(userId, { refetchOnFocus: false, refetchOnReconnect: false }).data;
}
