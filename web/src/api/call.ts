import type { BaseQueryApi, BaseQueryFn } from '@reduxjs/toolkit/query/react';
import { type Answered, type Call, fetchFromSite, send, type SiteRequest, sizeOf } from '../lib/http.js';
import { CANCELLED, NO_ANSWER, toApiError, type ApiError } from './api-error.js';
import { setProofProgress, setUpload } from './progress.js';

const RETRY_DELAY = 1000;

/** In the store, so that a test can use its own server. */
export interface ApiAddress {
  apiRoot: string;
}

interface CallOptions {
  retries?: boolean;
  /** Reports the progress of a picture or recording, which can be cancelled. */
  isUpload?: boolean;
}

export type AnswerMeta = Pick<Answered, 'response'>;

type Answers = BaseQueryFn<string | Call, unknown, ApiError, CallOptions, AnswerMeta>;

/* Smaller than RTK Query's base query and retries: a visitor's message goes out before that has loaded. */
type Query = (
  args: string | Call,
  line: Pick<BaseQueryApi, 'extra' | 'signal'>,
  options?: CallOptions,
) => ReturnType<Answers>;

/** A retry would double the wait: the connection is dead. */
const timedOut = new WeakSet<ApiError>();

const argsOf = (args: string | Call): Call => (typeof args === 'string' ? { url: args } : args);

/** Smaller uploads end before their progress could be read. */
const UPLOAD_BYTES = 32 * 1024;

const uploading =
  (cancel: () => void) =>
  async (address: string, request: SiteRequest): Promise<Response> => {
    // Without its code, uploads without progress.
    const { sendWithProgress } = await import('../lib/send-with-progress.js').catch(() => ({
      sendWithProgress: fetchFromSite,
    }));
    return sendWithProgress(address, request, (share) => setUpload({ share, cancel }));
  };

const fetchOnce: Query = async (args, { extra, signal }, options) => {
  const call = argsOf(args);
  const ending = new AbortController();
  const end = () => ending.abort();
  const cancel = () => ending.abort(CANCELLED);
  // Endpoints without options pass none.
  const isUpload = { ...options }.isUpload === true && sizeOf(call.body) >= UPLOAD_BYTES;
  signal.addEventListener('abort', end);
  try {
    const { apiRoot } = extra as ApiAddress;
    const { response, data } = await send(call, { apiRoot, ending, ...(isUpload && { transport: uploading(cancel) }) });
    const meta = { response };
    return response.ok && data !== undefined ? { data, meta } : { error: toApiError(response, data), meta };
  } catch {
    if (ending.signal.reason === CANCELLED) return { error: CANCELLED };
    const error = { ...NO_ANSWER };
    if (ending.signal.aborted) timedOut.add(error);
    return { error };
  } finally {
    if (isUpload) setUpload(null);
    signal.removeEventListener('abort', end);
  }
};

/** A challenge may expire while being solved; the answer has a new one. */
const MAX_PROOFS = 3;

const fetchWithProof: Query = async (args, line, options) => {
  let result = await fetchOnce(args, line, options);
  if (result.error?.proof == null) return result;
  try {
    for (let proofs = 0; proofs < MAX_PROOFS && result.error?.proof != null; proofs += 1) {
      const { solveInWorker } = await import('../lib/solve-in-worker.js');
      const request = argsOf(args);
      const headers = {
        ...request.headers,
        'Proof-Of-Work': await solveInWorker(result.error.proof, setProofProgress),
      };
      result = await fetchOnce({ ...request, headers }, line, options);
    }
  } catch {
    // The solver could not be loaded: report the server's error.
  } finally {
    setProofProgress(null);
  }
  return result;
};

/** In seconds. Above it the error is shown at once. */
const MAX_RETRY_AFTER = 3;

const isRetryable = ({ status, code, retryAfter }: ApiError) =>
  (status === null ? code !== CANCELLED.code : status >= 500) && (retryAfter ?? 0) <= MAX_RETRY_AFTER;

export const makeCall: Query = async (args, line, options) => {
  const result = await fetchWithProof(args, line, options);
  const { error } = result;
  // Endpoints without options pass none.
  const { retries = true } = { ...options };
  if (error === undefined || !retries || !isRetryable(error) || timedOut.has(error)) return result;
  await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY));
  return fetchWithProof(args, line, options);
};

/** Where a retry could do harm or only adds delay. */
export const NO_RETRY: CallOptions = { retries: false };

export const UPLOAD: CallOptions = { isUpload: true };
