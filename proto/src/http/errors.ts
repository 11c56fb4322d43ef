/** HTTP status and gRPC status by code. Clients translate by code. */
export const ERRORS = {
  invalid_input: { http: 422, grpc: 'INVALID_ARGUMENT' },
  malformed: { http: 400, grpc: 'INVALID_ARGUMENT' },
  unsupported_image: { http: 422, grpc: 'INVALID_ARGUMENT' },
  image_is_heic: { http: 422, grpc: 'INVALID_ARGUMENT' },
  image_is_tiff: { http: 422, grpc: 'INVALID_ARGUMENT' },
  image_too_deep: { http: 422, grpc: 'INVALID_ARGUMENT' },
  image_damaged: { http: 422, grpc: 'INVALID_ARGUMENT' },
  image_too_large: { http: 413, grpc: 'INVALID_ARGUMENT' },
  image_too_many_pixels: { http: 413, grpc: 'INVALID_ARGUMENT' },
  image_too_many_frames: { http: 413, grpc: 'INVALID_ARGUMENT' },
  payload_too_large: { http: 413, grpc: 'RESOURCE_EXHAUSTED' },
  unsupported_media_type: { http: 415, grpc: 'INVALID_ARGUMENT' },
  picture_undrawable: { http: 422, grpc: 'INVALID_ARGUMENT' },
  username_taken: { http: 409, grpc: 'ALREADY_EXISTS' },
  username_reserved: { http: 422, grpc: 'INVALID_ARGUMENT' },
  idempotency_conflict: { http: 409, grpc: 'ALREADY_EXISTS' },
  sender_changed: { http: 409, grpc: 'FAILED_PRECONDITION' },
  sender_unknown: { http: 409, grpc: 'FAILED_PRECONDITION' },
  not_public: { http: 409, grpc: 'FAILED_PRECONDITION' },
  prompts_full: { http: 409, grpc: 'FAILED_PRECONDITION' },
  already_decided: { http: 409, grpc: 'FAILED_PRECONDITION' },
  not_your_turn: { http: 409, grpc: 'FAILED_PRECONDITION' },
  conversation_ended: { http: 409, grpc: 'FAILED_PRECONDITION' },
  already_read: { http: 409, grpc: 'FAILED_PRECONDITION' },
  too_late: { http: 409, grpc: 'FAILED_PRECONDITION' },
  last_administrator: { http: 409, grpc: 'FAILED_PRECONDITION' },
  export_running: { http: 409, grpc: 'FAILED_PRECONDITION' },
  undo_expired: { http: 409, grpc: 'FAILED_PRECONDITION' },
  too_many_blocks: { http: 409, grpc: 'FAILED_PRECONDITION' },
  wrong_password: { http: 422, grpc: 'INVALID_ARGUMENT' },
  wrong_credentials: { http: 401, grpc: 'UNAUTHENTICATED' },
  wrong_recovery_code: { http: 401, grpc: 'UNAUTHENTICATED' },
  wrong_code: { http: 422, grpc: 'INVALID_ARGUMENT' },
  totp_required: { http: 401, grpc: 'UNAUTHENTICATED' },
  totp_is_on: { http: 409, grpc: 'FAILED_PRECONDITION' },
  totp_setup_required: { http: 403, grpc: 'PERMISSION_DENIED' },
  passkey_refused: { http: 401, grpc: 'UNAUTHENTICATED' },
  passkeys_full: { http: 409, grpc: 'FAILED_PRECONDITION' },
  not_signed_in: { http: 401, grpc: 'UNAUTHENTICATED' },
  not_allowed: { http: 403, grpc: 'PERMISSION_DENIED' },
  own_action: { http: 403, grpc: 'PERMISSION_DENIED' },
  account_leaving: { http: 403, grpc: 'PERMISSION_DENIED' },
  receiving_paused: { http: 403, grpc: 'PERMISSION_DENIED' },
  account_required: { http: 403, grpc: 'PERMISSION_DENIED' },
  account_too_new: { http: 403, grpc: 'PERMISSION_DENIED' },
  cross_site: { http: 403, grpc: 'PERMISSION_DENIED' },
  not_found: { http: 404, grpc: 'NOT_FOUND' },
  user_not_found: { http: 404, grpc: 'NOT_FOUND' },
  session_not_found: { http: 404, grpc: 'NOT_FOUND' },
  prompt_not_found: { http: 404, grpc: 'NOT_FOUND' },
  message_not_found: { http: 404, grpc: 'NOT_FOUND' },
  block_not_found: { http: 404, grpc: 'NOT_FOUND' },
  report_not_found: { http: 404, grpc: 'NOT_FOUND' },
  media_not_found: { http: 404, grpc: 'NOT_FOUND' },
  method_not_allowed: { http: 405, grpc: 'UNIMPLEMENTED' },
  request_timeout: { http: 408, grpc: 'DEADLINE_EXCEEDED' },
  changed_elsewhere: { http: 412, grpc: 'FAILED_PRECONDITION' },
  range_not_satisfiable: { http: 416, grpc: 'OUT_OF_RANGE' },
  too_many_requests: { http: 429, grpc: 'RESOURCE_EXHAUSTED' },
  proof_required: { http: 429, grpc: 'RESOURCE_EXHAUSTED' },
  media_unavailable: { http: 503, grpc: 'UNAVAILABLE' },
  unavailable: { http: 503, grpc: 'UNAVAILABLE' },
  internal: { http: 500, grpc: 'INTERNAL' },
} as const;

export type ErrorCode = keyof typeof ERRORS;

/** Of a single field. Clients translate by code. */
export const FIELD_FAULTS = [
  'required',
  'too_short',
  'too_long',
  'forbidden_characters',
  'misplaced_dot',
  'unknown_field',
  'not_valid',
  'not_an_id',
  'not_a_choice',
  'not_a_change',
  'not_a_number',
  'not_an_email',
  'not_a_key',
  'out_of_range',
  'passwords_differ',
  'terms_required',
  'taken',
  'reserved',
  'wrong',
  'unsupported_image',
  'image_too_large',
  'too_large',
  'silent',
  'unsupported',
] as const;

export type FieldFault = (typeof FIELD_FAULTS)[number];

/** Replaces `invalid_input` if all faults share this code. */
export const CODE_OF_FAULT: Partial<Record<FieldFault, ErrorCode>> = {
  reserved: 'username_reserved',
  unsupported_image: 'unsupported_image',
  image_too_large: 'image_too_large',
};

/** SHA-256 of `challenge`, a dot and a decimal counter must begin with `bits` zero bits. */
export interface ProofChallenge {
  challenge: string;
  bits: number;
}

/** Of every error below /api. */
export interface ErrorBody {
  /** For developers, in English. Never user text, addresses, secrets or tokens. */
  message: string;
  code: ErrorCode;
  /** By path, such as `content` or `items.0.name`. */
  fields?: Record<string, string>;
  /** Only with `proof_required`. */
  proof?: ProofChallenge;
  /** Required age of accounts in days. Only with `account_too_new`. */
  minimumDays?: number;
  /** Only with `image_too_large`. */
  maxBytes?: number;
  /** The current state, as a read returns it. Only with `changed_elsewhere`. */
  current?: unknown;
}

export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(ERRORS, value);
}
