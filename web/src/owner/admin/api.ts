import { type ActionFilter, type Answer, type Body, buildRequest, type ReportReason } from '@najwa/proto/http/client';
import { api, type AnswerMeta, NO_RETRY } from '../../api/api.js';
import { cursorPaging, type Page, pageParams, toPage } from '../../api/paging.js';
import type {
  Action,
  AuditEntry,
  Conversation,
  CountedPage,
  NewAdministrator,
  Recipient,
  ReportCounts,
  ReportedMessage,
  ReportFilter,
  TrackingFilter,
  TrackingRecord,
} from './types.js';

function toCountedPage<T>(items: T[], meta: AnswerMeta | undefined): CountedPage<T> {
  const total = meta?.response.headers.get('x-total-count') ?? null;
  return { ...toPage(items, meta), total: total === null ? null : Number(total) };
}

const adminApi = api.enhanceEndpoints({ addTagTypes: ['ReportCount'] }).injectEndpoints({
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
    /** The record again, with the reason for the audit log. */
    readWords: build.mutation<unknown, { id: number; reason: ReportReason }>({
      query: ({ id, reason }) => buildRequest('listSenderTracking', { query: { before: id + 1, limit: 1, reason } }),
    }),
    getRecipient: build.query<Recipient, number>({
      query: (id) => buildRequest('getUserById', { params: { id } }),
      providesTags: (recipient) => (recipient === undefined ? [] : [{ type: 'Profile', id: recipient.id }]),
    }),
    findRecipient: build.query<Recipient | null, string>({
      // An unknown username is an answer, not an error.
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
      // Also after an error: the list may be stale.
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
    getReports: build.infiniteQuery<CountedPage<ReportedMessage>, ReportFilter, string | null>({
      infiniteQueryOptions: cursorPaging,
      query: ({ queryArg: status, pageParam }) =>
        buildRequest('listReportedMessages', { query: { status, ...pageParams(pageParam) } }),
      transformResponse: (items: ReportedMessage[], meta) => toCountedPage(items, meta),
      providesTags: ['Report'],
    }),
    getReportCounts: build.query<ReportCounts, void>({
      query: () => buildRequest('countReportedMessages'),
      providesTags: ['Report', 'ReportCount'],
    }),
    getActions: build.infiniteQuery<Page<Action>, ActionFilter, string | null>({
      infiniteQueryOptions: cursorPaging,
      query: ({ queryArg: kind, pageParam }) =>
        buildRequest('listActions', { query: { kind, ...pageParams(pageParam) } }),
      transformResponse: (items: Action[], meta) => toPage(items, meta),
      providesTags: ['Report'],
    }),
    openReport: build.query<ReportedMessage, number>({
      query: (id) => buildRequest('openReport', { params: { id } }),
      // Opening assigns the report.
      onQueryStarted: async (id, { dispatch, queryFulfilled }) => {
        try {
          const { data } = await queryFulfilled;
          dispatch(adminApi.util.invalidateTags(['ReportCount']));
          dispatch(
            adminApi.util.updateQueryData('getReports', 'open', ({ pages }) => {
              for (const { items } of pages) {
                const index = items.findIndex((item) => item.id === id);
                if (index !== -1) items[index] = data;
              }
            }),
          );
        } catch {
          // Keep the list's state.
        }
      },
      providesTags: (_report, _error, id) => [{ type: 'Report', id }],
    }),
    actOnReport: build.mutation<Action, { id: number; body: Body<'actOnReport'> }>({
      query: ({ id, body }) => buildRequest('actOnReport', { params: { id }, body }),
      extraOptions: NO_RETRY,
      // Also after an error: another moderator may have been first.
      invalidatesTags: ['Report', 'Audit'],
    }),
    undoAction: build.mutation<Action, { id: number; reason: string }>({
      query: ({ id, reason }) => buildRequest('undoAction', { params: { id }, body: { reason } }),
      extraOptions: NO_RETRY,
      invalidatesTags: ['Report', 'Audit'],
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
  useGetReportsInfiniteQuery,
  useGetReportCountsQuery,
  useGetActionsInfiniteQuery,
  useOpenReportQuery,
  useReadWordsMutation,
  useActOnReportMutation,
  useUndoActionMutation,
  useCreateAdministratorMutation,
} = adminApi;

/** Undefined while loading or if the account is gone. */
export function useRecipient(userId: number): Recipient | undefined {
  return useGetRecipientQuery(userId, { refetchOnFocus: false, refetchOnReconnect: false }).data;
}
