import { status as grpcStatus } from '@grpc/grpc-js';
import { ERRORS, type ErrorBody, type ErrorCode, type ProofChallenge } from '@najwa/proto/http/client';
import { isDatabaseUnavailable } from './mongo/errors.js';

export { isErrorCode, type ErrorBody, type ErrorCode, type ProofChallenge } from '@najwa/proto/http/client';

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
    return ERRORS[this.code].http;
  }

  get grpcStatus(): grpcStatus {
    return grpcStatus[ERRORS[this.code].grpc];
  }
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
