import { type Answer, type Body, buildRequest } from '@najwa/proto/http/client';
import { api, NO_RETRY } from '../../api/api.js';

export type Session = Answer<'listSessions'>[number];

const settingsApi = api.injectEndpoints({
  endpoints: (build) => ({
    changePassword: build.mutation<null, Body<'changePassword'>>({
      query: (body) => buildRequest('changePassword', { body }),
      extraOptions: NO_RETRY,
      transformResponse: () => null,
      invalidatesTags: (_nothing, error) => (error === undefined ? ['Session'] : []),
    }),
    getSessions: build.query<Session[], void>({
      query: () => buildRequest('listSessions'),
      providesTags: ['Session'],
    }),
    endSession: build.mutation<null, string>({
      query: (id) => buildRequest('endSession', { params: { id } }),
      extraOptions: NO_RETRY,
      transformResponse: () => null,
      // Also after an error: the list may be stale.
      invalidatesTags: ['Session'],
    }),
    endOtherSessions: build.mutation<null, void>({
      query: () => buildRequest('endOtherSessions'),
      transformResponse: () => null,
      invalidatesTags: ['Session'],
    }),
  }),
});

export const { useChangePasswordMutation, useGetSessionsQuery, useEndSessionMutation, useEndOtherSessionsMutation } =
  settingsApi;
