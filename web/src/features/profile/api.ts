import { type Answer, buildRequest } from '@najwa/proto/http/client';
import { api } from '../../app/api.js';

const profileApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** The newest message that an account has published, if there is one. */
    getNewestPublic: build.query<Answer<'listPublicMessages'>, number>({
      query: (userId) => buildRequest('listPublicMessages', { params: { userId }, query: { limit: 1 } }),
      providesTags: (_messages, _error, userId) => [{ type: 'PublicMessages', id: userId }],
    }),
  }),
});

export const { useGetNewestPublicQuery } = profileApi;
