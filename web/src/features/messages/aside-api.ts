import { type Answer, buildRequest } from '@najwa/proto/http/client';
import { api, NO_RETRY } from '../../app/api.js';
import { cursorPaging, type Page, pageParams, toPage } from '../../app/paging.js';
import type { ReceivedMessage } from './types.js';

const asideApi = api.injectEndpoints({
  endpoints: (build) => ({
    getAside: build.infiniteQuery<Page<ReceivedMessage>, void, string | null>({
      infiniteQueryOptions: cursorPaging,
      query: ({ pageParam }) => buildRequest('listMessages', { query: { folder: 'aside', ...pageParams(pageParam) } }),
      transformResponse: (items: ReceivedMessage[], meta) => toPage(items, meta),
      providesTags: [{ type: 'Message', id: 'ASIDE' }],
    }),
    restoreMessage: build.mutation<Answer<'restoreMessage'>, number>({
      query: (id) => buildRequest('restoreMessage', { params: { id } }),
      invalidatesTags: ['Message', 'Stats'],
    }),
    discardMessage: build.mutation<null, number>({
      query: (id) => buildRequest('deleteMessage', { params: { id } }),
      extraOptions: NO_RETRY,
      transformResponse: () => null,
      invalidatesTags: [{ type: 'Message', id: 'ASIDE' }],
    }),
    emptyAside: build.mutation<null, void>({
      query: () => buildRequest('emptyAside', { query: { folder: 'aside' } }),
      transformResponse: () => null,
      invalidatesTags: [{ type: 'Message', id: 'ASIDE' }],
    }),
    blockSender: build.mutation<Answer<'createBlock'>, number>({
      query: (messageId) => buildRequest('createBlock', { body: { messageId } }),
      invalidatesTags: ['Block'],
    }),
  }),
});

/** Removes messages from the folder without asking the server. */
export const removeFromAside = (ids: readonly number[]) =>
  asideApi.util.updateQueryData('getAside', undefined, ({ pages }) => {
    for (const page of pages)
      if (page.items.some(({ id }) => ids.includes(id))) page.items = page.items.filter(({ id }) => !ids.includes(id));
  });

export const {
  useGetAsideInfiniteQuery,
  useRestoreMessageMutation,
  useDiscardMessageMutation,
  useEmptyAsideMutation,
  useBlockSenderMutation,
} = asideApi;
