import type { FetchBaseQueryError } from '@reduxjs/toolkit/query';

/** What went wrong with a call, as plain data: the server's `{message, code}`, or that there was no answer. */
export interface ApiError {
  /** The HTTP status; null where no answer came. */
  status: number | null;
  code: string;
  message: string;
  fields: Record<string, string>;
  /** Seconds until another attempt makes sense. */
  retryAfter: number | null;
}

interface Body {
  message?: unknown;
  code?: unknown;
  fields?: unknown;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

export function toApiError(error: FetchBaseQueryError, headers: Headers | undefined): ApiError {
  if (error.status === 'PARSING_ERROR') {
    return { status: error.originalStatus, code: 'unreadable', message: '', fields: {}, retryAfter: null };
  }
  if (typeof error.status !== 'number') return { status: null, code: 'offline', message: '', fields: {}, retryAfter: null };

  const body: Body = isRecord(error.data) ? error.data : {};
  const retryAfter = Number(headers?.get('retry-after') ?? Number.NaN);
  return {
    status: error.status,
    code: typeof body.code === 'string' ? body.code : '',
    message: typeof body.message === 'string' ? body.message : '',
    fields: isRecord(body.fields) ? Object.fromEntries(Object.entries(body.fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string')) : {},
    retryAfter: Number.isFinite(retryAfter) ? retryAfter : null,
  };
}

/** Narrows what `unwrap()` throws. */
export function isApiError(error: unknown): error is ApiError {
  return isRecord(error) && 'status' in error && 'code' in error && 'fields' in error;
}
