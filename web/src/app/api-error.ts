import type { ErrorCode } from '@najwa/proto/http/client';
import type { FetchBaseQueryError } from '@reduxjs/toolkit/query';
import type { ProofChallenge } from '../lib/proof-of-work.js';

/** A failed API call as plain data: the server's `{message, code}`, or no answer at all. */
export interface ApiError {
  /** HTTP status. Null if there was no answer. */
  status: number | null;
  code: ErrorCode | 'offline' | 'unreadable' | 'unknown';
  message: string;
  fields: Record<string, string>;
  /** Seconds until a retry makes sense. */
  retryAfter: number | null;
  /** The task to solve before the request is repeated. */
  proof: ProofChallenge | null;
}

interface Body {
  message?: unknown;
  code?: unknown;
  fields?: unknown;
  proof?: unknown;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Codes for statuses that a proxy may answer without our JSON body. */
const CODES: Partial<Record<number, ErrorCode>> = {
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  429: 'too_many_requests',
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable',
};

const isProofChallenge = (value: unknown): value is ProofChallenge =>
  isRecord(value) && typeof value['challenge'] === 'string' && typeof value['bits'] === 'number';

function readRetryAfter(headers: Headers | undefined): number | null {
  const seconds = Number(headers?.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : null;
}

export function toApiError(error: FetchBaseQueryError, headers: Headers | undefined): ApiError {
  const retryAfter = readRetryAfter(headers);
  if (error.status === 'PARSING_ERROR') {
    return {
      status: error.originalStatus,
      code: CODES[error.originalStatus] ?? 'unreadable',
      message: '',
      fields: {},
      retryAfter,
      proof: null,
    };
  }
  if (typeof error.status !== 'number')
    return { status: null, code: 'offline', message: '', fields: {}, retryAfter: null, proof: null };

  const body: Body = isRecord(error.data) ? error.data : {};
  return {
    status: error.status,
    // Codes of newer versions have no text. The list of codes itself is not worth its bytes here.
    code: typeof body.code === 'string' ? (body.code as ErrorCode) : (CODES[error.status] ?? 'unknown'),
    message: typeof body.message === 'string' ? body.message : '',
    fields: isRecord(body.fields)
      ? Object.fromEntries(
          Object.entries(body.fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
        )
      : {},
    retryAfter,
    proof: isProofChallenge(body.proof) ? body.proof : null,
  };
}

/** Narrows the value that `unwrap()` throws. */
export function isApiError(error: unknown): error is ApiError {
  return isRecord(error) && 'status' in error && 'code' in error && 'fields' in error;
}
