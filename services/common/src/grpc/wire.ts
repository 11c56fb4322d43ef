/** Metadata key of our error code, which is finer than the gRPC status. */
export const CODE_METADATA = 'najwa-code';

/** Metadata key of the invalid fields, as JSON. */
export const FIELDS_METADATA = 'najwa-fields';

/** Metadata key of the retry time in seconds. */
export const RETRY_AFTER_METADATA = 'najwa-retry-after';

/**
 * Standard gRPC metadata: milliseconds before a retry; a negative value forbids retries.
 * https://github.com/grpc/proposal/blob/master/A6-client-retries.md
 */
export const RETRY_PUSHBACK_METADATA = 'grpc-retry-pushback-ms';

/** Metadata key of the service token. */
export const SERVICE_TOKEN_METADATA = 'najwa-service-token';

/** `/najwa.auth.v1.AuthService/GetUser` → `najwa.auth.v1.AuthService` */
export const serviceOf = (methodPath: string): string => methodPath.split('/')[1] ?? '';

/** Larger than the largest picture (5 MiB), small enough to protect memory. */
export const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;
