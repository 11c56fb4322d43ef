import { status as grpcStatus } from '@grpc/grpc-js';
import { ERRORS, type ErrorBody, type ErrorCode, type ProofChallenge } from '@najwa/proto/http/client';
import { isDatabaseUnavailable } from '../mongo/errors.js';

export { isErrorCode, type ErrorBody, type ErrorCode, type ProofChallenge } from '@najwa/proto/http/client';

export interface AppErrorOptions {
  code: ErrorCode;
  /** English sentence for developers. Never contains user text, addresses, secrets or tokens. */
  message: string;
  /** Invalid input fields: field name to error code. */
  fields?: Record<string, string>;
  /** Retry-After in seconds. */
  retryAfter?: number;
  /** Challenge to solve before retrying. Only with `proof_required`. */
  proof?: ProofChallenge;
  /** Age that the recipient asks of accounts, in days. Only with `account_too_new`. */
  minimumDays?: number;
  /** How large a picture may be. Only with `image_too_large`. */
  maxBytes?: number;
  /** The present state, as a read answers it. Only with `changed_elsewhere`. */
  current?: unknown;
  cause?: unknown;
}

/**
 * An error whose code and message may be sent to the caller. Any other error becomes `internal`: it is logged once and
 * its message is not sent.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly fields: Record<string, string> | undefined;
  readonly retryAfter: number | undefined;
  readonly proof: ProofChallenge | undefined;
  readonly minimumDays: number | undefined;
  readonly maxBytes: number | undefined;
  readonly current: unknown;

  constructor({ code, message, fields, retryAfter, proof, minimumDays, maxBytes, current, cause }: AppErrorOptions) {
    super(message, { cause });
    this.name = 'AppError';
    this.code = code;
    this.fields = fields;
    this.retryAfter = retryAfter;
    this.proof = proof;
    this.minimumDays = minimumDays;
    this.maxBytes = maxBytes;
    this.current = current;
  }

  get httpStatus(): number {
    return ERRORS[this.code].http;
  }

  get grpcStatus(): grpcStatus {
    return grpcStatus[ERRORS[this.code].grpc];
  }
}

/** Response body of an error. */
export function toErrorBody(error: AppError): ErrorBody {
  return {
    message: error.message,
    code: error.code,
    ...(error.fields && { fields: error.fields }),
    ...(error.proof && { proof: error.proof }),
    ...(error.minimumDays !== undefined && { minimumDays: error.minimumDays }),
    ...(error.maxBytes !== undefined && { maxBytes: error.maxBytes }),
    ...(error.current !== undefined && { current: error.current }),
  };
}

/**
 * Returns an AppError unchanged. Converts database outages to `unavailable` and everything else to `internal`, with the
 * original as the cause.
 */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isDatabaseUnavailable(error)) {
    return new AppError({
      code: 'unavailable',
      message: 'The service is temporarily unavailable. Try again shortly.',
      retryAfter: 2,
      cause: error,
    });
  }
  return new AppError({ code: 'internal', message: 'Something went wrong on our side.', cause: error });
}

/**
 * Says of a call to media that only pictures and voices are away, if they are.
 * @throws {AppError} `media_unavailable` in the place of `unavailable`, and every other error
 */
export async function withMedia<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    const { code, retryAfter = 2 } = toAppError(error);
    if (code !== 'unavailable') throw error;
    throw new AppError({
      code: 'media_unavailable',
      message: 'Pictures and voice messages cannot be taken now, texts can. Try again shortly.',
      retryAfter,
      cause: error,
    });
  }
}
