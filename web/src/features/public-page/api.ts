import { type Answer, type Body, buildRequest } from '@najwa/proto/http/client';
import type { ApiError } from '../../app/api-error.js';
import { api, UPLOAD } from '../../app/api.js';
import { cursorPaging, nextCursor, type Page, pageParams, toPage } from '../../app/paging.js';
import type { Store } from '../../app/store.js';

export type PublicProfile = Answer<'getPublicUser'>;
export type PublicMessage = Answer<'listPublicMessages'>[number];

export type SentMessage = Answer<'createMessage'>;

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
        total: Number(meta?.response.headers.get('x-total-count') ?? items.length),
      }),
      providesTags: (_pages, _error, userId) => [{ type: 'PublicMessages', id: userId }],
    }),
    sendMessage: build.mutation<SentMessage, { message: Body<'createMessage'>; key: string }>({
      query: ({ message, key }) => buildRequest('createMessage', { body: message, idempotencyKey: key }),
      extraOptions: UPLOAD,
      invalidatesTags: (_message, error) =>
        error === undefined ? [{ type: 'Message', id: 'SENT' }, { type: 'Message', id: 'RECEIVED' }, 'Stats'] : [],
    }),
  }),
});

export const { useGetProfileQuery, useGetPublicMessagesInfiniteQuery, useSendMessageMutation } = publicPageApi;

/** Data that the gateway writes into the page's HTML, so that the first render needs no call. */
export interface PageData {
  /** Null for a username that nobody has. */
  profile: PublicProfile | null;
  messages?: { items: PublicMessage[]; link: string | null; total: number } | undefined;
  unsent?: Unsent | undefined;
}

/** A text that the form could not send without scripts, with the server's error. */
export interface Unsent {
  content: string;
  error: Pick<ApiError, 'status' | 'code' | 'message' | 'retryAfter' | 'maxBytes'>;
}

/** Puts the data of the HTML into the cache. */
export async function primePublicPage({ dispatch }: Store, username: string, data: PageData): Promise<void> {
  const { profile, messages } = data;
  if (profile === null || messages === undefined) return;
  const { items, link, total } = messages;
  const first = { items, total, next: nextCursor(link) };
  await Promise.all([
    dispatch(publicPageApi.util.upsertQueryData('getProfile', username, profile)),
    dispatch(
      publicPageApi.util.upsertQueryData('getPublicMessages', profile.id, { pages: [first], pageParams: [null] }),
    ),
  ]);
}
