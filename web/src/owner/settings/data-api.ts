import { type Answer, type Body, buildRequest } from '@najwa/proto/http/client';
import { api, NO_RETRY, PRIVATE_TAGS } from '../../api/api.js';
import type { Language } from '../../i18n/index.js';

const dataApi = api.injectEndpoints({
  endpoints: (build) => ({
    createExport: build.mutation<Answer<'createExport'>, Language>({
      query: (language) => buildRequest('createExport', { query: { language } }),
      extraOptions: NO_RETRY,
      // Also after a refusal: another tab may have started one.
      invalidatesTags: ['Export'],
    }),
    listExports: build.query<Answer<'listExports'>, void>({
      query: () => buildRequest('listExports'),
      providesTags: ['Export'],
    }),
    requestDeletion: build.mutation<Answer<'requestDeletion'>, Body<'requestDeletion'>>({
      query: (body) => buildRequest('requestDeletion', { body }),
      extraOptions: NO_RETRY,
      invalidatesTags: (deletion) => (deletion === undefined ? [] : ['User', 'Profile']),
    }),
    keepAccount: build.mutation<null, void>({
      query: () => buildRequest('keepAccount'),
      transformResponse: () => null,
      // The account's lists were refused while it was closed.
      invalidatesTags: ['User', 'Profile', ...PRIVATE_TAGS],
    }),
  }),
});

export const { useCreateExportMutation, useListExportsQuery, useRequestDeletionMutation, useKeepAccountMutation } =
  dataApi;
