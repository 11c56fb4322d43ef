import { api, NO_CONTENT, NO_RETRY } from '../../app/api.js';

export interface Session {
  id: string;
  device: { browser: string; operatingSystem: string; kind: string };
  createdAt: string;
  lastSeen: string;
  isCurrent: boolean;
}

interface PasswordChange {
  currentPassword: string;
  newPassword: string;
}

const settingsApi = api.injectEndpoints({
  endpoints: (build) => ({
    changePassword: build.mutation<null, PasswordChange>({
      query: (body) => ({ url: '/users/password', method: 'PUT', body, ...NO_CONTENT }),
      extraOptions: NO_RETRY,
      transformResponse: () => null,
      invalidatesTags: (_nothing, error) => (error === undefined ? ['Session'] : []),
    }),
    getSessions: build.query<Session[], void>({
      query: () => '/sessions',
      providesTags: ['Session'],
    }),
    endSession: build.mutation<null, string>({
      query: (id) => ({ url: `/sessions/${encodeURIComponent(id)}`, method: 'DELETE', ...NO_CONTENT }),
      extraOptions: NO_RETRY,
      transformResponse: () => null,
      // Also after an error: the list may be out of date.
      invalidatesTags: ['Session'],
    }),
    endOtherSessions: build.mutation<null, void>({
      query: () => ({ url: '/sessions', method: 'DELETE', ...NO_CONTENT }),
      transformResponse: () => null,
      invalidatesTags: ['Session'],
    }),
  }),
});

export const { useChangePasswordMutation, useGetSessionsQuery, useEndSessionMutation, useEndOtherSessionsMutation } =
  settingsApi;
