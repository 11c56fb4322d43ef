import { buildRequest } from '@najwa/proto/http/client';
import { useLayoutEffect, useMemo } from 'react';
import { useStore } from 'react-redux';
import { api } from '../../api/api.js';
import { cursorPaging, nextCursor, type Page, pageParams, toPage } from '../../api/paging.js';
import type { Store } from '../../api/store.js';
import type { FirstMessages, PublicMessage, PublicProfile } from './types.js';

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
  }),
});

const { getProfile, getPublicMessages } = publicPageApi.endpoints;

/** @param first what the HTML has */
export function useProfile(username: string, first?: PublicProfile) {
  const store = useStore() as Store;
  // Before the query fetches.
  useLayoutEffect(() => {
    if (first !== undefined && getProfile.select(username)(store.getState()).isUninitialized)
      store.dispatch(
        publicPageApi.util.upsertQueryEntries([{ endpointName: 'getProfile', arg: username, value: first }]),
      );
  }, [store, username, first]);
  return publicPageApi.useGetProfileQuery(username);
}

/** @param first what the HTML has */
export function usePublicMessages(userId: number, first?: FirstMessages) {
  const value = useMemo(
    () => first && { pages: [{ ...first, next: nextCursor(first.link) }], pageParams: [null] },
    [first],
  );
  const store = useStore() as Store;
  useLayoutEffect(() => {
    if (value !== undefined && getPublicMessages.select(userId)(store.getState()).isUninitialized)
      store.dispatch(
        publicPageApi.util.upsertQueryEntries([{ endpointName: 'getPublicMessages', arg: userId, value }]),
      );
  }, [store, userId, value]);
  const list = publicPageApi.useGetPublicMessagesInfiniteQuery(userId);
  return { ...list, data: list.data ?? value };
}
