import { status as grpcStatus } from '@grpc/grpc-js';
import { ERRORS, type ErrorBody, type ErrorCode, type ProofChallenge } from '@najwa/proto/http/client';
import { isDatabaseUnavailable } from '../mongo/errors.js';

export { isErrorCode, type ErrorBody, type ErrorCode, type ProofChallenge } from '@najwa/proto/http/client';

export interface AppErrorOptions {
  code: ErrorCode;
  /** For developers, in English. Never user text, addresses, secrets or tokens. */
  message: string;
  /** Field name → error code. */
  fields?: Record<string, string>;
  retryAfter?: number;
  /** Only with `proof_required`. */
  proof?: ProofChallenge;
  /** Required age of accounts in days. Only with `account_too_new`. */
  minimumDays?: number;
  /** Only with `image_too_large`. */
  maxBytes?: number;
  /** The current state, as a read returns it. Only with `changed_elsewhere`. */
  current?: unknown;
  cause?: unknown;
}

/** Its code and message may be sent to the caller. Any other error becomes `internal`: logged once, not sent. */
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

/** Database outages become `unavailable`, unknown errors `internal`, with the original as the cause. */
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

/** @throws {AppError} `media_unavailable` for `unavailable`, since texts still work; other errors unchanged */
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
