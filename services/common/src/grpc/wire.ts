export const CODE_METADATA = 'najwa-code';

export const FIELDS_METADATA = 'najwa-fields';

/** Seconds. */
export const RETRY_AFTER_METADATA = 'najwa-retry-after';

/**
 * Milliseconds before a retry; negative forbids retries.
 * https://github.com/grpc/proposal/blob/master/A6-client-retries.md
 */
export const RETRY_PUSHBACK_METADATA = 'grpc-retry-pushback-ms';

export const SERVICE_TOKEN_METADATA = 'najwa-service-token';

/** `/najwa.auth.v1.AuthService/GetUser` → `najwa.auth.v1.AuthService` */
export const serviceOf = (methodPath: string): string => methodPath.split('/')[1] ?? '';

export const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;
