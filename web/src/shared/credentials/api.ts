import { type Answer, type Body, buildRequest } from '@najwa/proto/http/client';
import { api, NO_RETRY } from '../../api/api.js';
import { applySession, type User } from '../session/index.js';

export type Passkey = Answer<'listPasskeys'>[number];

export const accessApi = api.injectEndpoints({
  endpoints: (build) => ({
    getRecoveryCodes: build.query<Answer<'getRecoveryCodes'>, void>({
      query: () => buildRequest('getRecoveryCodes'),
      providesTags: ['Access'],
    }),
    createRecoveryCodes: build.mutation<string[], string>({
      query: (password) => buildRequest('createRecoveryCodes', { body: { password } }),
      transformResponse: ({ codes }: Answer<'createRecoveryCodes'>) => codes,
      invalidatesTags: ['Access'],
    }),
    resetPassword: build.mutation<null, Body<'resetPassword'>>({
      query: (body) => buildRequest('resetPassword', { body }),
      extraOptions: NO_RETRY,
      transformResponse: () => null,
    }),
    getTotp: build.query<Answer<'getTotp'>, void>({
      query: () => buildRequest('getTotp'),
      providesTags: ['Access'],
    }),
    beginTotp: build.mutation<Answer<'beginTotp'>, string>({
      query: (password) => buildRequest('beginTotp', { body: { password } }),
    }),
    confirmTotp: build.mutation<null, string>({
      query: (code) => buildRequest('confirmTotp', { body: { code } }),
      extraOptions: NO_RETRY,
      transformResponse: () => null,
      invalidatesTags: (_nothing, error) => (error === undefined ? ['Access'] : []),
    }),
    removeTotp: build.mutation<null, string>({
      query: (code) => buildRequest('removeTotp', { body: { code } }),
      extraOptions: NO_RETRY,
      transformResponse: () => null,
      invalidatesTags: (_nothing, error) => (error === undefined ? ['Access'] : []),
    }),
    getPasskeys: build.query<Passkey[], void>({
      query: () => buildRequest('listPasskeys'),
      providesTags: ['Access'],
    }),
    beginPasskey: build.mutation<Answer<'beginPasskey'>, void>({
      query: () => buildRequest('beginPasskey'),
    }),
    createPasskey: build.mutation<Passkey, Body<'createPasskey'>>({
      query: (body) => buildRequest('createPasskey', { body }),
      extraOptions: NO_RETRY,
      invalidatesTags: ['Access'],
    }),
    deletePasskey: build.mutation<null, string>({
      query: (id) => buildRequest('deletePasskey', { params: { id } }),
      extraOptions: NO_RETRY,
      transformResponse: () => null,
      // Also after an error: the list may be stale.
      invalidatesTags: ['Access'],
    }),
    beginPasskeyLogin: build.mutation<Answer<'beginPasskeyLogin'>, void>({
      query: () => buildRequest('beginPasskeyLogin'),
    }),
    verifyPasskeyLogin: build.mutation<User, Body<'verifyPasskeyLogin'>>({
      query: (body) => buildRequest('verifyPasskeyLogin', { body }),
      extraOptions: NO_RETRY,
      onQueryStarted: async (_answer, { dispatch, queryFulfilled }) => {
        await applySession(dispatch, async () => (await queryFulfilled).data);
      },
    }),
  }),
});

export const {
  useGetRecoveryCodesQuery,
  useCreateRecoveryCodesMutation,
  useResetPasswordMutation,
  useGetTotpQuery,
  useBeginTotpMutation,
  useConfirmTotpMutation,
  useRemoveTotpMutation,
  useGetPasskeysQuery,
  useBeginPasskeyMutation,
  useCreatePasskeyMutation,
  useDeletePasskeyMutation,
} = accessApi;
