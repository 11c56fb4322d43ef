/** Metadata that carries our error code beside gRPC's coarser status. */
export const CODE_METADATA = 'najwa-code';

/** Metadata that carries which fields are at fault, as JSON. */
export const FIELDS_METADATA = 'najwa-fields';

/** Metadata that carries the seconds after which to try again. */
export const RETRY_AFTER_METADATA = 'najwa-retry-after';

/** gRPC's own metadata, by which a server says when a call may be tried again; below 0: never. https://github.com/grpc/proposal/blob/master/A6-client-retries.md */
export const RETRY_PUSHBACK_METADATA = 'grpc-retry-pushback-ms';

/** Metadata that carries the token which says which service calls. */
export const SERVICE_TOKEN_METADATA = 'najwa-service-token';

/** `/najwa.auth.v1.AuthService/GetUser` → `najwa.auth.v1.AuthService` */
export const serviceOf = (methodPath: string): string => methodPath.split('/')[1] ?? '';

/** Larger than any picture that we take (5 MiB), smaller than what could exhaust a process. */
export const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;
