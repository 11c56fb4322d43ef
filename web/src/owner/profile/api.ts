import { type Answer, buildRequest } from '@najwa/proto/http/client';
import { api } from '../../api/api.js';

const profileApi = api.injectEndpoints({
  endpoints: (build) => ({
    getNewestPublic: build.query<Answer<'listPublicMessages'>, number>({
      query: (userId) => buildRequest('listPublicMessages', { params: { userId }, query: { limit: 20 } }),
      providesTags: (_messages, _error, userId) => [{ type: 'PublicMessages', id: userId }],
    }),
  }),
});

export const { useGetNewestPublicQuery } = profileApi;
