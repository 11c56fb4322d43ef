import type { z } from 'zod';
import type { ErrorCode } from './errors.js';

/** Response headers that openapi.yaml documents. */
export type HeaderName =
  | 'Accept-Ranges'
  | 'Cache-Control'
  | 'Content-Range'
  | 'ETag'
  | 'Link'
  | 'Set-Cookie'
  | 'Vary'
  | 'X-Total-Count';

export interface AnswerSpec {
  status: 200 | 201 | 202 | 204;
  description: string;
  /** Schema of the JSON body. Without it the body is empty, or a file of one of the `media` types. */
  body?: z.ZodType;
  media?: readonly string[];
  /** Headers that are always present. */
  headers?: readonly HeaderName[];
  /** Optional headers. */
  optionalHeaders?: readonly HeaderName[];
}

/** Documentation and schemas of an operation. ROUTES has the rest. */
export interface OperationSpec {
  summary: string;
  description?: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** JSON body, or the form fields besides the file. */
  body?: z.ZodType;
  answer: AnswerSpec;
  /** Error codes specific to this operation, each with its condition. Common codes are added to them. */
  errors?: Partial<Record<ErrorCode, string>>;
  /** Accepts an `Idempotency-Key`. */
  isIdempotent?: boolean;
  /** May require a proof of work in the header `Proof-Of-Work`. */
  mayRequireProof?: boolean;
  /** Accepts a `Sender-Account`. */
  hasNamedSender?: boolean;
  /** Accepts `If-None-Match` and may return 304. */
  isConditional?: boolean;
  /** Accepts `If-Match`, and changes nothing if the state is another one by now. */
  hasPrecondition?: boolean;
  /** Accepts `Range` and `If-Range` and may return 206. */
  hasRanges?: boolean;
}
