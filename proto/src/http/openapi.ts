import { z } from 'zod';
import { ERRORS, FIELD_FAULTS, type ErrorCode } from './errors.js';
import type { HeaderName, OperationSpec } from './operation.js';
import { OPERATIONS } from './operations.js';
import {
  acceptedTypes,
  isStateChange,
  OPERATION_IDS,
  ROUTES,
  type FilePart,
  type OperationId,
  type Route,
} from './routes.js';

type Json = Record<string, unknown>;

const DESCRIPTION = `- A session is the cookie \`najwa_session\`. Visitors are told apart by the cookie \`najwa_visitor\`, which the gateway sets on answers to GET.
- A state change must come from our own page: with our \`Origin\`, or without one and with \`X-Requested-With\`.
  A foreign or \`null\` origin is refused with \`cross_site\`, and a form, a text or XML as a body with \`unsupported_media_type\`.
- Every error is \`{message, code}\`. Clients translate by code. Each code has one status, see the answers of each call.
- A creation answers 201 with the created thing. With the same \`Idempotency-Key\` it creates once.
- A list is an array. The address of its next page is in the header \`Link\`, which is omitted on the last page.
- Text lengths count extended grapheme clusters, each of at most 16 UTF-16 code units. JSON Schema counts code points, so
  these limits are only given in descriptions.
- A JSON body has at most 64 KiB without its picture, 16 levels and 1000 values.
- \`x-najwa-roles\` lists the roles that may make a call: visitor (no session), user, admin. The description of the call says which
  records they may read or change. Other visitors get 401, other users 403.
- Each GET also supports HEAD: the same response without the body.
- Other paths under /api return 404 \`not_found\`. Other methods on these paths return 404 or 405 (\`method_not_allowed\`).
`;

const TAGS: Record<Route['service'], string> = {
  auth: 'Accounts, sessions and public profiles (services/auth).',
  messages: 'Messages and replies (services/messages).',
  media: 'Pictures and sound (services/media).',
  chatbot: 'The assistant (services/chatbot).',
  admin: 'For administrators (services/admin).',
};

const HEADERS: Record<HeaderName | 'Retry-After', Json> = {
  'Accept-Ranges': { schema: { type: 'string', const: 'bytes' } },
  'Cache-Control': {
    description: 'Cached only by the browser, which revalidates before each use. Avatars may be cached for a year.',
    schema: { type: 'string', enum: ['private, no-cache', 'public, max-age=31536000, immutable'] },
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

const REQUEST_HEADERS = {
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
  IfNoneMatch: { name: 'If-None-Match', schema: { type: 'string' } },
  Range: { name: 'Range', schema: { type: 'string', examples: ['bytes=0-65535'] } },
  IfRange: { name: 'If-Range', schema: { type: 'string' } },
};

const DESCRIPTION_OF_STATUS: Record<number, string> = {
  400: 'The path or the body is malformed.',
  401: 'There is no session, or the credentials are wrong.',
  403: 'The caller is not allowed, or the request did not come from our own page.',
  404: 'Not found, or not visible to this caller.',
  408: 'The body arrived too slowly.',
  409: 'The request conflicts with existing data.',
  413: 'The body is too large for this call.',
  415: 'The content type of the body is not supported.',
  416: 'The range begins after the end. `Content-Range` has the length.',
  422: 'The input is invalid.',
  429: 'Too many calls.',
  500: 'Internal error. The response has no details.',
  503: 'A dependency is temporarily unavailable. The call may be retried later.',
};

const hasProperties = (schema: z.ZodObject | undefined): schema is z.ZodObject =>
  schema !== undefined && Object.keys(schema.shape).length > 0;

/** Error codes of an operation with their conditions. Undefined if the code is self-explanatory. */
function errorsOf(route: Route, operation: OperationSpec): Map<ErrorCode, string | undefined> {
  const codes = new Map<ErrorCode, string | undefined>(Object.entries(operation.errors ?? {}) as [ErrorCode, string][]);
  const add = (...added: ErrorCode[]) => {
    for (const code of added) if (!codes.has(code)) codes.set(code, undefined);
  };
  if (route.body.kind !== 'none' || operation.params) add('malformed');
  if (route.body.kind !== 'none' || operation.params || operation.query || operation.isIdempotent) add('invalid_input');
  if (!route.roles.includes('visitor')) add('not_signed_in');
  if (!route.roles.includes('user')) add('not_allowed');
  if (isStateChange(route)) add('cross_site', 'payload_too_large', 'unsupported_media_type');
  if (route.body.kind !== 'none') add('request_timeout');
  if (operation.isIdempotent) add('idempotency_conflict');
  if (operation.hasRanges) add('range_not_satisfiable');
  if (operation.mayRequireProof) add('proof_required');
  add('too_many_requests', 'internal', 'unavailable');
  return codes;
}

function errorAnswers(route: Route, operation: OperationSpec): Json {
  const byStatus = new Map<number, [ErrorCode, string | undefined][]>();
  for (const [code, when] of errorsOf(route, operation)) {
    const { http } = ERRORS[code];
    byStatus.set(http, [...(byStatus.get(http) ?? []), [code, when]]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const isPlain = codes.length === 1 && codes[0]?.[1] === undefined;
      const name = answerName(codes[0]?.[0] ?? 'internal');
      return [String(status), isPlain ? { $ref: `#/components/responses/${name}` } : errorAnswer(status, codes)];
    }),
  );
}

const errorAnswer = (status: number, codes: [ErrorCode, string | undefined][]): Json => ({
  description: codes.map(([code, when]) => (when === undefined ? `\`${code}\`` : `\`${code}\`: ${when}`)).join('; '),
  ...(status === 429 || status === 503
    ? { headers: { 'Retry-After': { $ref: '#/components/headers/Retry-After' } } }
    : {}),
  content: {
    'application/json': {
      schema: {
        $ref: '#/components/schemas/Error',
        type: 'object',
        properties: { code: { enum: codes.map(([code]) => code) } },
      },
    },
  },
});

/** `not_signed_in` → `NotSignedIn` */
const answerName = (code: string): string =>
  code.replace(/(^|_)(\w)/g, (_whole, _separator, letter: string) => letter.toUpperCase());

/** Shared error responses that consist of a single code without a condition. */
const SHARED_ANSWERS: Json = Object.fromEntries(
  Object.entries(ERRORS).map(([code, { http }]) => [
    answerName(code),
    {
      ...errorAnswer(http, [[code as ErrorCode, undefined]]),
      description: `\`${code}\`: ${DESCRIPTION_OF_STATUS[http] ?? ''}`,
    },
  ]),
);

function parametersOf(operation: OperationSpec, route: Route, schemaOf: (name: string) => Json): Json[] {
  const given = (['params', 'query'] as const).flatMap((part) => {
    const schema = operation[part];
    if (!hasProperties(schema)) return [];
    const { properties = {}, required = [] } = schemaOf(part) as {
      properties?: Record<string, Json>;
      required?: string[];
    };
    return Object.entries(properties).map(([name, { description, ...rest }]) => ({
      name,
      in: part === 'params' ? 'path' : 'query',
      ...((part === 'params' || required.includes(name)) && { required: true }),
      ...(description !== undefined && { description }),
      schema: rest,
    }));
  });
  const headers: (keyof typeof REQUEST_HEADERS)[] = [
    ...(isStateChange(route) ? (['RequestedWith'] as const) : []),
    ...(operation.isIdempotent ? (['IdempotencyKey'] as const) : []),
    ...(operation.mayRequireProof ? (['ProofOfWork'] as const) : []),
    ...(operation.hasRanges ? (['Range', 'IfRange'] as const) : []),
    ...(operation.isConditional ? (['IfNoneMatch'] as const) : []),
  ];
  return [...given, ...headers.map((name) => ({ $ref: `#/components/parameters/${name}` }))];
}

/** Schema of a form: the JSON fields, with the file in place of the data URL. */
function formSchema(body: Json, { kind, file }: Extract<Route['body'], { file: FilePart }>): Json {
  const { properties = {}, required = [] } = body as { properties?: Record<string, Json>; required?: string[] };
  const replaced = 'field' in file ? (file.field ?? file.part) : undefined;
  const isRequired = kind === 'form' || (replaced !== undefined && required.includes(replaced));
  const others = Object.entries(properties).filter(([name]) => name !== replaced);
  const requiredNames = [...required.filter((name) => name !== replaced), ...(isRequired ? [file.part] : [])];
  return {
    type: 'object',
    additionalProperties: false,
    properties: {
      ...Object.fromEntries(others),
      [file.part]: {
        type: 'string',
        contentMediaType: 'application/octet-stream',
        description: `A file of at most ${file.maxBytes / 1024 / 1024} MiB. The type is detected from the content.`,
      },
    },
    ...(requiredNames.length > 0 && { required: requiredNames }),
  };
}

function requestBodyOf(
  route: Route,
  schemaOf: (name: string) => Json,
  resolve: (schema: Json) => Json,
): Json | undefined {
  const { body } = route;
  if (body.kind === 'none') return undefined;
  const schema = schemaOf('body');
  const content = acceptedTypes(route).map((type) => [
    type,
    { schema: 'file' in body && type === 'multipart/form-data' ? formSchema(resolve(schema), body) : schema },
  ]);
  return { required: true, content: Object.fromEntries(content) as Json };
}

const headerRefs = (names: readonly string[], isRequired: boolean): Json =>
  Object.fromEntries(
    names.map((name) => [
      name,
      isRequired ? { ...HEADERS[name as HeaderName], required: true } : { $ref: `#/components/headers/${name}` },
    ]),
  );

function successAnswers({ answer, isConditional, hasRanges }: OperationSpec, schemaOf: (name: string) => Json): Json {
  const content = answer.body
    ? { 'application/json': { schema: schemaOf('answer') } }
    : answer.media && Object.fromEntries(answer.media.map((type) => [type, {}]));
  const headers = { ...headerRefs(answer.headers ?? [], true), ...headerRefs(answer.optionalHeaders ?? [], false) };
  return {
    [String(answer.status)]: {
      description: answer.description,
      ...(Object.keys(headers).length > 0 && { headers }),
      ...(content && { content }),
    },
    ...(hasRanges && {
      '206': {
        description: 'The requested range.',
        headers: headerRefs(['Content-Range', 'ETag'], true),
        ...(content && { content }),
      },
    }),
    ...(isConditional && {
      '304': { description: 'The cached version is current.', headers: headerRefs(['ETag'], true) },
    }),
  };
}

const SECURITY = { visitor: [{}, { najwa_session: [] }], session: [{ najwa_session: [] }] };

function operationOf(id: OperationId, schemaOf: (name: string) => Json, resolve: (schema: Json) => Json): Json {
  const route: Route = ROUTES[id];
  const operation: OperationSpec = OPERATIONS[id];
  const parameters = parametersOf(operation, route, schemaOf);
  const requestBody = requestBodyOf(route, schemaOf, resolve);
  return {
    operationId: id,
    tags: [route.service],
    summary: operation.summary,
    ...(operation.description !== undefined && { description: operation.description }),
    'x-najwa-roles': [...route.roles],
    security: route.roles.includes('visitor') ? SECURITY.visitor : SECURITY.session,
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: { ...successAnswers(operation, schemaOf), ...errorAnswers(route, operation) },
  };
}

const errorSchema = z
  .strictObject({
    message: z
      .string()
      .describe('One sentence in English. Never holds what a user wrote, an address, a secret or a token.'),
    code: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]).meta({ id: 'ErrorCode' }),
    fields: z
      .record(z.string(), z.string().meta({ pattern: '^[a-z_]+$' }))
      .optional()
      .describe(`The fields at fault, each with the code of its fault: ${FIELD_FAULTS.join(', ')}.`),
    proof: z
      .strictObject({ challenge: z.string(), bits: z.number().int() })
      .optional()
      .describe(
        'With `proof_required`: SHA-256 of `challenge`, a dot and a decimal counter must begin with `bits` zero bits. The request is then repeated with these three in the header `Proof-Of-Work`.',
      ),
  })
  .meta({ id: 'Error' });

/**
 * Converts all schemas together, so that those with an id are shared: `operation.part` to JSON Schema, and the shared
 * ones by id.
 */
function convertSchemas(): { parts: Record<string, Json>; shared: Record<string, Json> } {
  const shape: Record<string, z.ZodType> = { error: errorSchema };
  for (const id of OPERATION_IDS) {
    const { params, query, body, answer }: OperationSpec = OPERATIONS[id];
    for (const [part, schema] of Object.entries({ params, query, body, answer: answer.body }))
      if (schema) shape[`${id}.${part}`] = schema;
  }
  const converted = z.toJSONSchema(z.object(shape), {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // Removes the default integer limits, which every JSON number satisfies.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      delete jsonSchema.id;
    },
  });
  const text = JSON.stringify(converted).replaceAll('#/$defs/', '#/components/schemas/');
  const { properties, $defs } = JSON.parse(text) as { properties: Record<string, Json>; $defs: Record<string, Json> };
  for (const schema of Object.values($defs)) delete schema['id'];
  return { parts: properties, shared: $defs };
}

/** The HTTP contract as an OpenAPI 3.1 document. */
export function createOpenApiDocument(): Json {
  const { parts, shared } = convertSchemas();
  const resolve = (schema: Json): Json => {
    const name = typeof schema['$ref'] === 'string' ? schema['$ref'].split('/').at(-1) : undefined;
    return name === undefined ? schema : (shared[name] ?? {});
  };
  const paths: Record<string, Json> = {};
  for (const id of OPERATION_IDS) {
    const { method, path } = ROUTES[id];
    (paths[path] ??= {})[method.toLowerCase()] = operationOf(id, (part) => parts[`${id}.${part}`] ?? {}, resolve);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Najwa',
      version: '0.1.0',
      summary: 'The /api paths of the gateway.',
      description: DESCRIPTION,
    },
    servers: [{ url: '/', description: 'The gateway that served the page.' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        najwa_session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'najwa_session',
          description: 'Opaque session token. HttpOnly, SameSite=Lax, Secure outside of localhost.',
        },
      },
      parameters: Object.fromEntries(
        Object.entries(REQUEST_HEADERS).map(([name, header]) => [name, { ...header, in: 'header' }]),
      ),
      headers: HEADERS,
      responses: usedAnswers(paths),
      schemas: Object.fromEntries(Object.entries(shared).sort(([a], [b]) => a.localeCompare(b))),
    },
  };
}

function usedAnswers(paths: unknown): Json {
  const text = JSON.stringify(paths);
  return Object.fromEntries(
    Object.entries(SHARED_ANSWERS).filter(([name]) => text.includes(`"#/components/responses/${name}"`)),
  );
}
