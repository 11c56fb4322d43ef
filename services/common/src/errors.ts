import { status as grpcStatus } from '@grpc/grpc-js';
import { isDatabaseUnavailable } from './mongo/errors.js';

/** Every code that an answer of ours may carry, with its HTTP and gRPC status. Clients translate by code. */
const CODES = {
  invalid_input: { http: 422, grpc: grpcStatus.INVALID_ARGUMENT },
  malformed: { http: 400, grpc: grpcStatus.INVALID_ARGUMENT },
  unsupported_image: { http: 422, grpc: grpcStatus.INVALID_ARGUMENT },
  image_too_large: { http: 413, grpc: grpcStatus.INVALID_ARGUMENT },
  payload_too_large: { http: 413, grpc: grpcStatus.RESOURCE_EXHAUSTED },
  unsupported_media_type: { http: 415, grpc: grpcStatus.INVALID_ARGUMENT },
  username_taken: { http: 409, grpc: grpcStatus.ALREADY_EXISTS },
  username_reserved: { http: 422, grpc: grpcStatus.INVALID_ARGUMENT },
  idempotency_conflict: { http: 409, grpc: grpcStatus.ALREADY_EXISTS },
  wrong_password: { http: 422, grpc: grpcStatus.INVALID_ARGUMENT },
  wrong_credentials: { http: 401, grpc: grpcStatus.UNAUTHENTICATED },
  not_signed_in: { http: 401, grpc: grpcStatus.UNAUTHENTICATED },
  not_allowed: { http: 403, grpc: grpcStatus.PERMISSION_DENIED },
  cross_site: { http: 403, grpc: grpcStatus.PERMISSION_DENIED },
  not_found: { http: 404, grpc: grpcStatus.NOT_FOUND },
  user_not_found: { http: 404, grpc: grpcStatus.NOT_FOUND },
  session_not_found: { http: 404, grpc: grpcStatus.NOT_FOUND },
  message_not_found: { http: 404, grpc: grpcStatus.NOT_FOUND },
  media_not_found: { http: 404, grpc: grpcStatus.NOT_FOUND },
  method_not_allowed: { http: 405, grpc: grpcStatus.UNIMPLEMENTED },
  request_timeout: { http: 408, grpc: grpcStatus.DEADLINE_EXCEEDED },
  range_not_satisfiable: { http: 416, grpc: grpcStatus.OUT_OF_RANGE },
  too_many_requests: { http: 429, grpc: grpcStatus.RESOURCE_EXHAUSTED },
  proof_required: { http: 429, grpc: grpcStatus.RESOURCE_EXHAUSTED },
  unavailable: { http: 503, grpc: grpcStatus.UNAVAILABLE },
  internal: { http: 500, grpc: grpcStatus.INTERNAL },
} as const;

export type ErrorCode = keyof typeof CODES;

export interface AppErrorOptions {
  code: ErrorCode;
  /** One sentence for a person, in English. Never holds what a user wrote, an address, a secret or a token. */
  message: string;
  /** Which fields of the input are at fault: name → code of the fault. */
  fields?: Record<string, string>;
  /** When to try again, in seconds. */
  retryAfter?: number;
  /** Challenge that the client must solve before it tries again. Goes with `proof_required`. */
  proof?: ProofChallenge;
  cause?: unknown;
}

/** A proof-of-work challenge: SHA-256 of `challenge`, a dot and a decimal counter must begin with `bits` zero bits. */
export interface ProofChallenge {
  challenge: string;
  bits: number;
}

/** An error that a caller may see. Whatever else is thrown becomes `internal`, is logged once, and tells the caller nothing. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly fields: Record<string, string> | undefined;
  readonly retryAfter: number | undefined;
  readonly proof: ProofChallenge | undefined;

  constructor({ code, message, fields, retryAfter, proof, cause }: AppErrorOptions) {
    super(message, { cause });
    this.name = 'AppError';
    this.code = code;
    this.fields = fields;
    this.retryAfter = retryAfter;
    this.proof = proof;
  }

  get httpStatus(): number {
    return CODES[this.code].http;
  }

  get grpcStatus(): grpcStatus {
    return CODES[this.code].grpc;
  }
}

/** Whether a string, such as one from another service's metadata, is a code of ours. */
export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(CODES, value);
}

/** The body of every error answer on /api. */
export interface ErrorBody {
  message: string;
  code: ErrorCode;
  fields?: Record<string, string>;
  proof?: ProofChallenge;
}

/** The answer's body for an error, naming nothing but what the error itself allows. */
export function toErrorBody(error: AppError): ErrorBody {
  return {
    message: error.message,
    code: error.code,
    ...(error.fields && { fields: error.fields }),
    ...(error.proof && { proof: error.proof }),
  };
}

/** The error itself when it is one of ours, `unavailable` when the database is away, else `internal`; the original is the cause. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isDatabaseUnavailable(error)) {
    return new AppError({
      code: 'unavailable',
      message: 'The service cannot answer just now. Try again shortly.',
      retryAfter: 2,
      cause: error,
    });
  }
  return new AppError({ code: 'internal', message: 'Something went wrong on our side.', cause: error });
}
