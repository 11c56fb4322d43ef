import {
  createApi,
  fetchBaseQuery,
  retry,
  type BaseQueryFn,
  type FetchArgs,
  type FetchBaseQueryMeta,
} from '@reduxjs/toolkit/query/react';
import { timeToSend } from '../lib/time-to-send.js';
import { toApiError, type ApiError } from './api-error.js';
import { setProofProgress } from './proof-progress.js';

const MINUTE = 60;
const FIRST_RETRY_DELAY = 1000;
const MAX_RETRY_DELAY = 30_000;

/** The API's base URL. It is part of the store so that a test can use its own server. */
export interface ApiAddress {
  apiRoot: string;
}

type Query = BaseQueryFn<string | FetchArgs, unknown, ApiError, object, FetchBaseQueryMeta>;

const fetchOnce: Query = async (args, api, options) => {
  const { apiRoot } = api.extra as ApiAddress;
  const request = fetchBaseQuery({
    baseUrl: apiRoot,
    credentials: 'include',
    cache: 'no-store',
    timeout: timeToSend(typeof args === 'string' ? undefined : args.body),
    prepareHeaders: (headers) => {
      headers.set('X-Requested-With', 'XMLHttpRequest');
    },
  });
  const result = await request(args, api, options);
  const meta = result.meta === undefined ? {} : { meta: result.meta };
  if (result.error === undefined) return { data: result.data, ...meta };
  const error = toApiError(result.error, result.meta?.response?.headers);
  // Another try would double the wait, and the line is dead.
  if (result.error.status === 'TIMEOUT_ERROR') retry.fail(error, meta.meta);
  return { error, ...meta };
};

/** A challenge may expire while it is being solved. Then the answer has a new one. */
const MAX_PROOFS = 3;

/**
 * Solves the proof of work that the server asks for when a limit is reached, and repeats the request. The solver is
 * loaded on demand.
 */
const fetchWithProof: Query = async (args, api, options) => {
  let result = await fetchOnce(args, api, options);
  if (result.error?.proof == null) return result;
  try {
    for (let proofs = 0; proofs < MAX_PROOFS && result.error?.proof != null; proofs += 1) {
      const { solveInWorker } = await import('../lib/solve-in-worker.js');
      const request = typeof args === 'string' ? { url: args } : args;
      const headers = new Headers(request.headers as HeadersInit | undefined);
      headers.set('Proof-Of-Work', await solveInWorker(result.error.proof, setProofProgress));
      result = await fetchOnce({ ...request, headers }, api, options);
    }
  } finally {
    setProofProgress(null);
  }
  return result;
};

/** In seconds. With a longer Retry-After the error is shown at once. */
const MAX_RETRY_AFTER = 3;

/** Retries when there was no answer or the server failed, unless Retry-After is too long. */
const isRetryable = ({ status, retryAfter }: ApiError) =>
  (status === null || status >= 500) && (retryAfter ?? 0) <= MAX_RETRY_AFTER;

const fetchWithRetry = retry(fetchWithProof, {
  retryCondition: (error, _args, { attempt }) => attempt === 1 && isRetryable(error as ApiError),
  backoff: (attempt) =>
    new Promise((resolve) => setTimeout(resolve, Math.min(FIRST_RETRY_DELAY * 2 ** (attempt - 1), MAX_RETRY_DELAY))),
});

/** For calls where a retry could do harm or only adds delay. */
export const NO_RETRY = { retryCondition: () => false };

/** For calls with an empty success answer. Their errors still have a JSON body. */
export const NO_CONTENT = { responseHandler: 'content-type' } as const;

/** Data of the signed-in user. It must not outlive the session. */
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

/**
 * The only RTK Query API. It is empty: each feature injects its endpoints. With one shared cache, a change in one
 * feature can invalidate the data of another.
 */
export const api = createApi({
  reducerPath: 'api',
  baseQuery: fetchWithRetry,
  // Data of these is for everyone, or for whoever has its address. The user is replaced, not cleared.
  tagTypes: ['User', 'Profile', 'PublicMessages', 'WayBack', ...PRIVATE_TAGS],
  refetchOnFocus: true,
  refetchOnReconnect: true,
  refetchOnMountOrArgChange: 5 * MINUTE,
  keepUnusedDataFor: 10 * MINUTE,
  endpoints: () => ({}),
});
