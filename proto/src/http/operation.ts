import type { z } from 'zod';
import type { ErrorCode } from './errors.js';

/** Documented in openapi.yaml. */
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
  /** JSON. Without it the body is empty, or a file of a `media` type. */
  body?: z.ZodType;
  media?: readonly string[];
  /** Always present. */
  headers?: readonly HeaderName[];
  optionalHeaders?: readonly HeaderName[];
}

/** ROUTES has the rest. */
export interface OperationSpec {
  summary: string;
  description?: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** JSON body, or form fields without the file. */
  body?: z.ZodType;
  /** Form fields without the file, where `body` is JSON alone. */
  form?: z.ZodType;
  answer: AnswerSpec;
  /** With their conditions. Common codes are added. */
  errors?: Partial<Record<ErrorCode, string>>;
  /** `Idempotency-Key`. */
  isIdempotent?: boolean;
  /** `Proof-Of-Work`. */
  mayRequireProof?: boolean;
  /** `Sender-Account`. */
  hasNamedSender?: boolean;
  /** `If-None-Match`, answered by 304. */
  isConditional?: boolean;
  /** `If-Match`: changes nothing if the state differs. */
  hasPrecondition?: boolean;
  /** `Range` and `If-Range`, answered by 206. */
  hasRanges?: boolean;
}
