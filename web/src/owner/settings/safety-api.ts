import { type Answer, type Body, buildRequest, LIMITS } from '@najwa/proto/http/client';
import { api, NO_RETRY } from '../../api/api.js';

export type Block = Answer<'listBlocks'>[number];
export type OwnReport = Answer<'listReports'>[number];
export type Filters = Answer<'getFilters'>;

const safetyApi = api.injectEndpoints({
  endpoints: (build) => ({
    getBlocks: build.query<Block[], void>({
      query: () => buildRequest('listBlocks'),
      providesTags: ['Block'],
    }),
    liftBlock: build.mutation<null, number>({
      query: (id) => buildRequest('deleteBlock', { params: { id } }),
      extraOptions: NO_RETRY,
      transformResponse: () => null,
      // Also after an error: the list may be stale.
      invalidatesTags: ['Block'],
    }),
    getOwnReports: build.query<OwnReport[], void>({
      query: () => buildRequest('listReports', { query: { limit: LIMITS.page.max } }),
      providesTags: ['OwnReport'],
    }),
    getFilters: build.query<Filters, void>({
      query: () => buildRequest('getFilters'),
      providesTags: ['Filters'],
    }),
    changeFilters: build.mutation<Answer<'changeFilters'>, Body<'changeFilters'>>({
      query: (body) => buildRequest('changeFilters', { body }),
      invalidatesTags: (_filters, error) => (error === undefined ? ['Message', 'Stats'] : ['Filters']),
      onQueryStarted: async (_change, { dispatch, queryFulfilled }) => {
        try {
          const { words, lists } = (await queryFulfilled).data;
          await dispatch(safetyApi.util.upsertQueryData('getFilters', undefined, { words, lists }));
        } catch {
          // The section shows the error.
        }
      },
    }),
  }),
});

export const {
  useGetOwnReportsQuery,
  useGetBlocksQuery,
  useLiftBlockMutation,
  useGetFiltersQuery,
  useChangeFiltersMutation,
} = safetyApi;
