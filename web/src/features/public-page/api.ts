import { api } from '../../app/api.js';
import { cursorPaging, pageParams, toPage, type Message, type Page } from '../messages/index.js';

export interface PublicProfile {
  id: number;
  username: string;
  name: string;
  bio: string;
  avatar: string | null;
  isAdmin: boolean;
  isVerified: boolean;
  isOnline: boolean;
  lastOnline: string | null;
  visitorCount: number;
}

interface PublicPageOf extends Page<Message> {
  total: number;
}

interface NewMessage {
  userId: number;
  content: string;
  imageUrl?: string;
}

const publicPageApi = api.injectEndpoints({
  endpoints: (build) => ({
    getProfile: build.query<PublicProfile, string>({
      query: (username) => `/users/${encodeURIComponent(username)}`,
      providesTags: (profile) => (profile === undefined ? [] : [{ type: 'Profile', id: profile.id }]),
    }),
    getPublicMessages: build.infiniteQuery<PublicPageOf, number, string | null>({
      infiniteQueryOptions: cursorPaging,
      query: ({ queryArg: userId, pageParam }) => ({
        url: `/messages/public/${String(userId)}`,
        params: pageParams(pageParam),
      }),
      transformResponse: (items: Message[], meta) => ({
        ...toPage(items, meta),
        total: Number(meta?.response?.headers.get('x-total-count') ?? items.length),
      }),
      providesTags: (_pages, _error, userId) => [{ type: 'PublicMessages', id: userId }],
    }),
    sendMessage: build.mutation<Message, { message: NewMessage; key: string }>({
      query: ({ message, key }) => ({
        url: '/messages',
        method: 'POST',
        body: message,
        headers: { 'Idempotency-Key': key },
      }),
      invalidatesTags: (_message, error) =>
        error === undefined ? [{ type: 'Message', id: 'SENT' }, { type: 'Message', id: 'RECEIVED' }, 'Stats'] : [],
    }),
  }),
});

export const { useGetProfileQuery, useGetPublicMessagesInfiniteQuery, useSendMessageMutation } = publicPageApi;
