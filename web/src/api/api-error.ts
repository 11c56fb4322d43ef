import type { ErrorCode } from '@najwa/proto/http/client';
import type { ProofChallenge } from '../lib/proof-of-work.js';

/** The server's `{message, code}`, or no answer. */
export interface ApiError {
  /** Null if there was no answer. */
  status: number | null;
  code: ErrorCode | 'offline' | 'cancelled' | 'unreadable' | 'unknown';
  message: string;
  fields: Record<string, string>;
  /** In seconds. */
  retryAfter: number | null;
  /** Limit of a picture, if known. */
  maxBytes?: number | undefined;
  /** To be solved before a retry. */
  proof: ProofChallenge | null;
}

interface Body {
  message?: unknown;
  code?: unknown;
  fields?: unknown;
  proof?: unknown;
  maxBytes?: unknown;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** For statuses that a proxy may answer without our JSON body. */
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

function readRetryAfter(headers: Headers): number | null {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : null;
}

export const NO_ANSWER: ApiError = {
  status: null,
  code: 'offline',
  message: '',
  fields: {},
  retryAfter: null,
  proof: null,
};

export const CANCELLED: ApiError = { ...NO_ANSWER, code: 'cancelled' };

/** @param data the parsed JSON, or undefined */
export function toApiError({ status, headers }: Pick<Response, 'status' | 'headers'>, data: unknown): ApiError {
  const body: Body = isRecord(data) ? data : {};
  return {
    status,
    // Codes of newer versions have no text.
    code:
      typeof body.code === 'string'
        ? (body.code as ErrorCode)
        : (CODES[status] ?? (data === undefined ? 'unreadable' : 'unknown')),
    message: typeof body.message === 'string' ? body.message : '',
    fields: isRecord(body.fields)
      ? Object.fromEntries(
          Object.entries(body.fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
        )
      : {},
    retryAfter: readRetryAfter(headers),
    maxBytes: typeof body.maxBytes === 'number' ? body.maxBytes : undefined,
    proof: isProofChallenge(body.proof) ? body.proof : null,
  };
}

export function isApiError(error: unknown): error is ApiError {
  return isRecord(error) && 'status' in error && 'code' in error && 'fields' in error;
}
