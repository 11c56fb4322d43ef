import { type Answer, type Body, buildRequest } from '@najwa/proto/http/client';
import { api } from '../../app/api.js';
import { cursorPaging, pageParams, toPage, type Page } from '../messages/index.js';

export type PublicProfile = Answer<'getPublicUser'>;
export type PublicMessage = Answer<'listPublicMessages'>[number];

interface PublicPageOf extends Page<PublicMessage> {
  total: number;
}

const publicPageApi = api.injectEndpoints({
  endpoints: (build) => ({
    getProfile: build.query<PublicProfile, string>({
      query: (username) => buildRequest('getPublicUser', { params: { username } }),
      providesTags: (profile) => (profile === undefined ? [] : [{ type: 'Profile', id: profile.id }]),
    }),
    getPublicMessages: build.infiniteQuery<PublicPageOf, number, string | null>({
      infiniteQueryOptions: cursorPaging,
      query: ({ queryArg: userId, pageParam }) =>
        buildRequest('listPublicMessages', { params: { userId }, query: pageParams(pageParam) }),
      transformResponse: (items: PublicMessage[], meta) => ({
        ...toPage(items, meta),
        total: Number(meta?.response?.headers.get('x-total-count') ?? items.length),
      }),
      providesTags: (_pages, _error, userId) => [{ type: 'PublicMessages', id: userId }],
    }),
    sendMessage: build.mutation<Answer<'createMessage'>, { message: Body<'createMessage'>; key: string }>({
      query: ({ message, key }) => buildRequest('createMessage', { body: message, idempotencyKey: key }),
      invalidatesTags: (_message, error) =>
        error === undefined ? [{ type: 'Message', id: 'SENT' }, { type: 'Message', id: 'RECEIVED' }, 'Stats'] : [],
    }),
  }),
});

export const { useGetProfileQuery, useGetPublicMessagesInfiniteQuery, useSendMessageMutation } = publicPageApi;
