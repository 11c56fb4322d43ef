import { type Answer, type Body, buildRequest } from '@najwa/proto/http/client';
import { isApiError } from '../../api/api-error.js';
import { api, NO_RETRY, PRIVATE_TAGS } from '../../api/api.js';
import type { Store } from '../../api/store.js';
import {
  onRememberedUserChange,
  readLeaving,
  readRememberedUser,
  rememberUser,
  setLeaving,
} from '../../lib/remembered-user.js';
import { ACCOUNT_LEFT } from '../../lib/signed-in.js';
import type { Credentials, ProfileChange, User } from './types.js';

/** Delays of the checks after signing in or out. */
const SESSION_CHECK_DELAY = 500;
const USER_CHECK_DELAY = 1000;

type Dispatch = Store['dispatch'];

export const authApi = api.injectEndpoints({
  endpoints: (build) => ({
    getUser: build.query<User | null, void>({
      // Asks for the status first: a visitor's console would show a 401 as an error.
      queryFn: async (_arg, _api, _options, baseQuery) => {
        const status = await baseQuery(buildRequest('getAuthStatus'));
        if (status.error !== undefined) return { error: status.error };
        if (!(status.data as Answer<'getAuthStatus'>).authenticated) return { data: null };
        const { data, error } = await baseQuery(buildRequest('getCurrentUser'));
        if (error === undefined) return { data: data as User };
        return error.status === 401 ? { data: null } : { error };
      },
      providesTags: ['User'],
      onQueryStarted: async (_arg, lifecycle) => {
        const { data: before } = lifecycle.getCacheEntry();
        try {
          const { data: user } = await lifecycle.queryFulfilled;
          remember(user, before);
        } catch {
          // Unknown whether the session has ended.
        }
      },
      onCacheEntryAdded: async (_arg, lifecycle) => {
        const { dispatch, cacheEntryRemoved } = lifecycle;
        const closeForOther = async () => {
          const { data: user } = lifecycle.getCacheEntry();
          const remembered = readRememberedUser();
          if (user == null || remembered === undefined || remembered === String(user.id)) return;
          // Close the former user's page before asking.
          await dispatch(authApi.util.upsertQueryData('getUser', undefined, null));
          if (remembered !== null) await checkUser(dispatch);
        };
        const end = onRememberedUserChange(() => void closeForOther());
        await cacheEntryRemoved;
        end();
      },
    }),
    getAuthStatus: build.query<{ authenticated: boolean }, void>({
      query: () => buildRequest('getAuthStatus'),
    }),
    updateUser: build.mutation<User, ProfileChange>({
      query: (body) => buildRequest('updateCurrentUser', { body }),
      invalidatesTags: (user) => (user === undefined ? [] : [{ type: 'Profile', id: user.id }]),
      onQueryStarted: async (_change, { dispatch, queryFulfilled }) => {
        try {
          const { data } = await queryFulfilled;
          await dispatch(authApi.util.upsertQueryData('getUser', undefined, data));
        } catch {
          // The form shows the error.
        }
      },
    }),
    login: build.mutation<User, Credentials>({
      query: (body) => buildRequest('login', { body }),
      extraOptions: NO_RETRY,
      onQueryStarted: async (_credentials, { dispatch, queryFulfilled }) => {
        await applySession(dispatch, async () => (await queryFulfilled).data);
      },
    }),
    register: build.mutation<User, { registration: Body<'register'>; key: string }>({
      query: ({ registration, key }) => buildRequest('register', { body: registration, idempotencyKey: key }),
      onQueryStarted: async (_registration, { dispatch, queryFulfilled }) => {
        await applySession(dispatch, async () => (await queryFulfilled).data);
      },
    }),
    logout: build.mutation<null, void>({
      query: () => buildRequest('logout'),
      transformResponse: () => null,
      onQueryStarted: async (_arg, { dispatch, queryFulfilled }) => {
        await applySession(dispatch, async () => {
          const { data } = await queryFulfilled;
          setLeaving('signed-out');
          return data;
        });
      },
    }),
  }),
});

/** @param before undefined at the first answer */
function remember(user: User | null, before: User | null | undefined): void {
  if (user !== null) rememberUser(user.id);
  // Another tab may have remembered the next user by now.
  else if (before === undefined || readRememberedUser() === String(before?.id)) rememberUser(null);
  if (before != null && before.id !== user?.id) window.dispatchEvent(new Event(ACCOUNT_LEFT));
  // If this part does not load, the next page retries.
  if (readLeaving() !== null)
    import('../../lib/leave-device.js').then(({ leaveDevice }) => leaveDevice(user?.id ?? null)).catch(ignore);
}

const ignore = () => undefined;

const checkUser = (dispatch: Dispatch) =>
  dispatch(authApi.endpoints.getUser.initiate(undefined, { forceRefetch: true, subscribe: false }));

/** Clears the previous user's data, and checks again shortly after. */
export async function applySession(dispatch: Dispatch, answer: () => Promise<User | null>): Promise<void> {
  let user: User | null;
  try {
    user = await answer();
  } catch {
    // The form shows the error.
    return;
  }
  const clearPrivateData = () => dispatch(api.util.invalidateTags([...PRIVATE_TAGS]));
  await dispatch(authApi.util.upsertQueryData('getUser', undefined, user));
  if (user !== null) clearPrivateData();
  setTimeout(() => {
    // The protected page has closed by now. Clearing earlier would make it refetch without a session.
    if (user === null) clearPrivateData();
    void checkSession(dispatch);
  }, SESSION_CHECK_DELAY);
  setTimeout(() => void checkUser(dispatch), USER_CHECK_DELAY);
}

async function checkSession(dispatch: Dispatch): Promise<void> {
  const { error } = await dispatch(
    authApi.endpoints.getAuthStatus.initiate(undefined, { forceRefetch: true, subscribe: false }),
  );
  if (error !== undefined) console.warn('The session could not be checked.', isApiError(error) ? error.code : '');
}

export const { useGetUserQuery, useLoginMutation, useRegisterMutation, useLogoutMutation, useUpdateUserMutation } =
  authApi;
