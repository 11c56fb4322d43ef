import { configureStore, isRejectedWithValue, type Middleware } from '@reduxjs/toolkit';
import { createApi, setupListeners } from '@reduxjs/toolkit/query/react';
import { isApiError } from './api-error.js';
import { type ApiAddress, makeCall } from './call.js';
import { openStore } from './open-store.js';

export { type AnswerMeta, type ApiAddress, NO_RETRY, UPLOAD } from './call.js';

const MINUTE = 60;

/** Must not outlive the session. */
export const PRIVATE_TAGS = [
  'Message',
  'Stats',
  'Session',
  'Access',
  'Receiving',
  'Filters',
  'Prompt',
  'Block',
  'OwnReport',
  'Notification',
  'Push',
  'Export',
  'Report',
  'Tracking',
  'Conversation',
  'Audit',
] as const;

/** The only RTK Query API: features inject endpoints and share invalidation. */
export const api = createApi({
  reducerPath: 'api',
  baseQuery: makeCall,
  // Public, or for anyone with the address. The user is replaced, not cleared.
  tagTypes: ['User', 'Profile', 'PublicMessages', 'WayBack', ...PRIVATE_TAGS],
  refetchOnFocus: true,
  refetchOnReconnect: true,
  refetchOnMountOrArgChange: 5 * MINUTE,
  keepUnusedDataFor: 10 * MINUTE,
  endpoints: () => ({}),
});

/** A call failed because the session has ended: closes protected pages. */
const sessionEnd: Middleware =
  ({ dispatch }) =>
  (next) =>
  (action) => {
    const result = next(action);
    if (isRejectedWithValue(action) && isApiError(action.payload) && action.payload.code === 'not_signed_in')
      dispatch(api.util.invalidateTags(['User']));
    return result;
  };

function open(address: ApiAddress) {
  const store = configureStore({
    reducer: { [api.reducerPath]: api.reducer },
    middleware: (defaults) =>
      defaults({ thunk: { extraArgument: address } })
        .prepend(sessionEnd)
        .concat(api.middleware),
  });
  setupListeners(store.dispatch);
  return store;
}

export type OpenedStore = ReturnType<typeof open>;

openStore.current = open;
