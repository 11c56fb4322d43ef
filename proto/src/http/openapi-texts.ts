import type { HeaderName } from './operation.js';
import type { Route } from './routes.js';

export type Json = Record<string, unknown>;

/** For every call. */
export const DESCRIPTION = `- A session is the cookie \`najwa_session\`. Visitors are told apart by the cookie \`najwa_visitor\`, which the gateway sets on answers to GET, and with the picture of a public page. Outside of localhost both names begin with \`__Host-\`.
- A state change must come from our own page: with our \`Origin\`, or without one and with \`X-Requested-With\`.
  A foreign or \`null\` origin is refused with \`cross_site\`, and a form, a text or XML as a body with \`unsupported_media_type\`.
- Every error is \`{message, code}\`. Clients translate by code. Each code has one status, see the answers of each call.
- A creation answers 201 with the created thing. With the same \`Idempotency-Key\` it creates once.
- A list is an array. The address of its next page is in the header \`Link\`, which is omitted on the last page.
- Text lengths count extended grapheme clusters, each of at most 16 UTF-16 code units. JSON Schema counts code points, so
  these limits are only given in descriptions.
- A JSON body has at most 64 KiB without its picture, 16 levels and 1000 values.
- \`x-najwa-roles\` lists the roles that may make a call: visitor (no session), user, moderator, admin. The description of the call says which
  records they may read or change. Other visitors get 401, other users 403.
- Each GET also supports HEAD: the same response without the body.
- Other paths under /api return 404 \`not_found\`. Other methods on these paths return 404 or 405 (\`method_not_allowed\`).
`;

export const STREAM_DESCRIPTION = `- \`notification\`: a notification, with its id.
- \`count\`: \`{unread}\`, at the beginning and when it changes.
- \`message\`: \`{messageId, change}\`; \`change\` is created, updated or deleted. Of a way back, \`messageId\` is null, and there are no other events.

The event \`beat\` comes every 25 seconds: a line on which nothing came for a minute is dead. An account has at most 16 streams.
`;

export const TAGS: Record<Route['service'] | 'gateway', string> = {
  auth: 'Accounts, sessions and public profiles (services/auth).',
  messages: 'Messages and replies (services/messages).',
  media: 'Pictures and sound (services/media).',
  chatbot: 'The assistant (services/chatbot).',
  admin: 'For administrators (services/admin).',
  gateway: 'Preview pictures, the event stream and this description (services/gateway).',
};

export const HEADERS: Record<HeaderName | 'Retry-After', Json> = {
  'Accept-Ranges': { schema: { type: 'string', const: 'bytes' } },
  'Cache-Control': {
    description: 'Cached only by the browser, which revalidates before each use. Avatars may be cached for a year.',
    schema: { type: 'string', enum: ['private, no-cache', 'no-cache', 'public, max-age=31536000, immutable'] },
  },
  'Content-Range': { schema: { type: 'string', pattern: '^bytes \\d+-\\d+/\\d+$' } },
  ETag: { schema: { type: 'string', pattern: '^(W/)?"[^"]*"$' } },
  Link: {
    description: '`<address>; rel="next"`. Omitted on the last page.',
    schema: { type: 'string', pattern: '^<[^>]+>; rel="next"$' },
  },
  'Retry-After': { description: 'Seconds to wait before a retry.', schema: { type: 'integer', minimum: 1 } },
  'Set-Cookie': { description: 'Sets `najwa_session`, or removes it.', schema: { type: 'string' } },
  Vary: { schema: { type: 'string', const: 'Accept' } },
  'X-Total-Count': {
    description: 'Total number of entries. May be omitted if counting them is expensive.',
    schema: { type: 'integer', minimum: 0 },
  },
};

export const REQUEST_HEADERS = {
  RequestedWith: {
    name: 'X-Requested-With',
    description: 'Required if the browser sends no `Origin`.',
    schema: { type: 'string', const: 'XMLHttpRequest' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    description:
      'Unique per submission, the same for all its retries. Scoped to the sender. Reuse with different content is a conflict.',
    schema: { type: 'string', pattern: '^[!-~]{1,128}$' },
  },
  ProofOfWork: {
    name: 'Proof-Of-Work',
    description: 'Required after `proof_required`: the challenge, a dot and the counter that solves it.',
    schema: { type: 'string' },
  },
  SenderAccount: {
    name: 'Sender-Account',
    description:
      'The id of the account that the message was written with, or `none`. The message is refused with `sender_changed` if the call comes from another one.',
    schema: { type: 'string', pattern: '^(none|[1-9]\\d{0,15})$' },
  },
  IfMatch: {
    name: 'If-Match',
    description: 'The `ETag` of the state that the change was made for.',
    schema: { type: 'string' },
  },
  IfNoneMatch: { name: 'If-None-Match', schema: { type: 'string' } },
  Range: { name: 'Range', schema: { type: 'string', examples: ['bytes=0-65535'] } },
  IfRange: { name: 'If-Range', schema: { type: 'string' } },
};

export const DESCRIPTION_OF_STATUS: Record<number, string> = {
  400: 'The path or the body is malformed.',
  401: 'There is no session, or the credentials are wrong.',
  403: 'The caller is not allowed, or the request did not come from our own page.',
  404: 'Not found, or not visible to this caller.',
  408: 'The body arrived too slowly.',
  409: 'The request conflicts with existing data.',
  412: 'The state is another one than the change was made for. `current` has it.',
  413: 'The body is too large for this call.',
  415: 'The content type of the body is not supported.',
  416: 'The range begins after the end. `Content-Range` has the length.',
  422: 'The input is invalid.',
  429: 'Too many calls.',
  500: 'Internal error. The response has no details.',
  503: 'A dependency is temporarily unavailable. The call may be retried later.',
};
