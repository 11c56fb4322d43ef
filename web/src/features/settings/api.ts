import { type Answer, type Body, buildRequest } from '@najwa/proto/http/client';
import { api, NO_CONTENT, NO_RETRY } from '../../app/api.js';

export type Session = Answer<'listSessions'>[number];

const settingsApi = api.injectEndpoints({
  endpoints: (build) => ({
    changePassword: build.mutation<null, Body<'changePassword'>>({
      query: (body) => ({ ...buildRequest('changePassword', { body }), ...NO_CONTENT }),
      extraOptions: NO_RETRY,
      transformResponse: () => null,
      invalidatesTags: (_nothing, error) => (error === undefined ? ['Session'] : []),
    }),
    getSessions: build.query<Session[], void>({
      query: () => buildRequest('listSessions'),
      providesTags: ['Session'],
    }),
    endSession: build.mutation<null, string>({
      query: (id) => ({ ...buildRequest('endSession', { params: { id } }), ...NO_CONTENT }),
      extraOptions: NO_RETRY,
      transformResponse: () => null,
      // Also after an error: the list may be out of date.
      invalidatesTags: ['Session'],
    }),
    endOtherSessions: build.mutation<null, void>({
      query: () => ({ ...buildRequest('endOtherSessions'), ...NO_CONTENT }),
      transformResponse: () => null,
      invalidatesTags: ['Session'],
    }),
  }),
});

export const { useChangePasswordMutation, useGetSessionsQuery, useEndSessionMutation, useEndOtherSessionsMutation } =
  settingsApi;
