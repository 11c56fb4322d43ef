import {
  createApi,
  fetchBaseQuery,
  retry,
  type BaseQueryFn,
  type FetchArgs,
  type FetchBaseQueryMeta,
} from '@reduxjs/toolkit/query/react';
import { toApiError, type ApiError } from './api-error.js';

const MINUTE = 60;
const FIRST_RETRY_DELAY = 1000;
const LONGEST_RETRY_DELAY = 30_000;

/** Where the API is; part of the store, so that a test can point a page at a server of its own. */
export interface ApiAddress {
  apiRoot: string;
}

type Query = BaseQueryFn<string | FetchArgs, unknown, ApiError, object, FetchBaseQueryMeta>;

const fetchOnce: Query = async (args, api, options) => {
  const { apiRoot } = api.extra as ApiAddress;
  const ask = fetchBaseQuery({
    baseUrl: apiRoot,
    credentials: 'include',
    cache: 'no-store',
    prepareHeaders: (headers) => {
      headers.set('X-Requested-With', 'XMLHttpRequest');
    },
  });
  const result = await ask(args, api, options);
  const meta = result.meta === undefined ? {} : { meta: result.meta };
  if (result.error === undefined) return { data: result.data, ...meta };
  return { error: toApiError(result.error, result.meta?.response?.headers), ...meta };
};

/** In seconds: who is told to come back later than this is not kept waiting, but told. */
const MOST_PATIENCE = 3;

/** Trying again helps only where no answer came or the server itself failed, and does not ask to be left alone. */
const mayHelp = ({ status, retryAfter }: ApiError) =>
  (status === null || status >= 500) && (retryAfter ?? 0) <= MOST_PATIENCE;

const fetchPatiently = retry(fetchOnce, {
  retryCondition: (error, _args, { attempt }) => attempt === 1 && mayHelp(error as ApiError),
  backoff: (attempt) =>
    new Promise((resolve) =>
      setTimeout(resolve, Math.min(FIRST_RETRY_DELAY * 2 ** (attempt - 1), LONGEST_RETRY_DELAY)),
    ),
});

/** For calls that a second attempt could harm or only delay. */
export const ONCE = { retryCondition: () => false };

/** For calls that answer nothing when they succeed. A refusal still says in JSON what is wrong. */
export const NO_CONTENT = { responseHandler: 'content-type' } as const;

/**
 * The one API of the client, empty: every feature injects its endpoints. One root means one cache,
 * so that a change in one feature can invalidate what another shows.
 */
export const api = createApi({
  reducerPath: 'api',
  baseQuery: fetchPatiently,
  tagTypes: [
    'User',
    'Message',
    'Stats',
    'Reply',
    'Profile',
    'PublicMessages',
    'Session',
    'Tracking',
    'Conversation',
    'Audit',
  ],
  refetchOnFocus: true,
  refetchOnReconnect: true,
  refetchOnMountOrArgChange: 5 * MINUTE,
  keepUnusedDataFor: 10 * MINUTE,
  endpoints: () => ({}),
});

/** What belongs to whoever is signed in, and must not outlive the session. */
export const PRIVATE_TAGS = ['Message', 'Stats', 'Reply', 'Session', 'Tracking', 'Conversation', 'Audit'] as const;
