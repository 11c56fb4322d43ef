import type { z } from 'zod';
import type { ErrorCode } from './errors.js';

/** Names of the response headers that openapi.yaml describes. */
export type HeaderName =
  'Accept-Ranges' | 'Cache-Control' | 'Content-Range' | 'ETag' | 'Link' | 'Set-Cookie' | 'Vary' | 'X-Total-Count';

export interface AnswerSpec {
  status: 200 | 201 | 204;
  description: string;
  /** The JSON body. An answer without one is empty, or a file of one of the `media` types. */
  body?: z.ZodType;
  media?: readonly string[];
  /** Headers that the answer always has. */
  headers?: readonly HeaderName[];
  /** Headers that the answer has at times. */
  optionalHeaders?: readonly HeaderName[];
}

/** What ROUTES leaves out of a call: its words and its schemas. */
export interface OperationSpec {
  summary: string;
  description?: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** A JSON body, or the fields of a form besides its file. */
  body?: z.ZodType;
  answer: AnswerSpec;
  /** Error codes of this call alone, each with when it is answered. Those of every call are added to them. */
  errors?: Partial<Record<ErrorCode, string>>;
  /** Takes an `Idempotency-Key`. */
  isIdempotent?: boolean;
  /** May ask for a proof of work, which comes in the header `Proof-Of-Work`. */
  asksForProof?: boolean;
  /** Takes `If-None-Match` and may answer 304. */
  isConditional?: boolean;
  /** Takes `Range` and `If-Range` and may answer 206. */
  hasRanges?: boolean;
}
