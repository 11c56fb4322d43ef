import { z } from 'zod';
import { ERRORS, FIELD_FAULTS, type ErrorCode } from './errors.js';
import {
  DESCRIPTION,
  DESCRIPTION_OF_STATUS,
  HEADERS,
  REQUEST_HEADERS,
  STREAM_DESCRIPTION,
  TAGS,
  type Json,
} from './openapi-texts.js';
import type { HeaderName, OperationSpec } from './operation.js';
import { OPERATIONS } from './operations.js';
import { GROUNDS, PICTURES, QR_CODES, QR_DEFAULT_SIZE, QR_SIZES, type PictureId, type QrCodeId } from './pictures.js';
import {
  acceptedTypes,
  isStateChange,
  OPERATION_IDS,
  ROUTES,
  type FilePart,
  type OperationId,
  type Route,
} from './routes.js';

const hasProperties = (schema: z.ZodObject | undefined): schema is z.ZodObject =>
  schema !== undefined && Object.keys(schema.shape).length > 0;

/** Error codes with their conditions. Undefined if self-explanatory. */
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
  if (operation.hasPrecondition) add('changed_elsewhere');
  if (operation.hasRanges) add('range_not_satisfiable');
  if (operation.mayRequireProof) add('proof_required');
  if (operation.hasNamedSender) add('sender_changed');
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

/** Responses of one code without a condition. */
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
    ...(operation.hasNamedSender ? (['SenderAccount'] as const) : []),
    ...(operation.hasRanges ? (['Range', 'IfRange'] as const) : []),
    ...(operation.hasPrecondition ? (['IfMatch'] as const) : []),
    ...(operation.isConditional ? (['IfNoneMatch'] as const) : []),
  ];
  return [...given, ...headers.map((name) => ({ $ref: `#/components/parameters/${name}` }))];
}

/** JSON fields, with the file in place of the data URL. */
function formSchema(body: Json, { kind, file }: Extract<Route['body'], { file: FilePart }>): Json {
  const { properties = {}, required = [] } = body as { properties?: Record<string, Json>; required?: string[] };
  const replaced = 'field' in file ? (file.field ?? file.part) : undefined;
  const isRequired = kind !== 'picture' || (replaced !== undefined && required.includes(replaced));
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
  const form = body.kind === 'message' ? schemaOf('form') : schema;
  const content = acceptedTypes(route).map((type) => [
    type,
    { schema: 'file' in body && type === 'multipart/form-data' ? formSchema(resolve(form), body) : schema },
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

/** Answered by the gateway. */
const STREAM_PATH = '/api/notifications/stream';

function streamOperation(): Json {
  const route: Route = { ...ROUTES.getWayBack, path: STREAM_PATH };
  const operation: OperationSpec = {
    summary: 'Events of the own account, as they happen',
    answer: { status: 200, description: 'Server-sent events, until the session ends.', media: ['text/event-stream'] },
    errors: {
      not_signed_in: 'there is neither a session nor a way back',
      message_not_found: 'no message is behind the way back',
    },
  };
  return {
    operationId: 'streamNotifications',
    tags: ['gateway'],
    summary: operation.summary,
    description: STREAM_DESCRIPTION,
    'x-najwa-roles': [...route.roles],
    security: [{}, { najwa_session: [] }],
    parameters: [
      { name: 'wayBack', in: 'query', description: 'Token of a way back.', schema: { type: 'string' } },
      {
        name: 'Last-Event-ID',
        in: 'header',
        description: 'Id of the last notification that came. The stream begins with those after it.',
        schema: { type: 'integer', minimum: 1 },
      },
    ],
    responses: { ...successAnswers(operation, () => ({})), ...errorAnswers(route, operation) },
  };
}

const idSchema = { type: 'string', pattern: '^[1-9]\\d*$' };

/** Drawn by the gateway, outside of /api. */
function pictureOperationOf(id: PictureId): Json {
  const { path, width, height, summary } = PICTURES[id];
  const hasGround = /^\/(og|story)\//.test(path);
  const isProfile = path.includes('{username}');
  const isPrompt = id === 'getPromptStory';
  const missing: ErrorCode = isPrompt ? 'prompt_not_found' : isProfile ? 'user_not_found' : 'message_not_found';
  const route: Route = { ...ROUTES[isProfile ? 'getPublicUser' : 'getPublicMessage'], path };
  const operation: OperationSpec = {
    summary,
    isConditional: true,
    answer: {
      status: 200,
      description: `A picture of ${width} × ${height} pixels, of what is public now.`,
      media: [id === 'getCarpet' ? 'image/svg+xml' : 'image/png'],
      headers: ['Cache-Control', 'ETag'],
    },
    errors: {
      [missing]: `there is no such ${isPrompt ? 'question of the account' : isProfile ? 'account' : 'message, or it is not published'}`,
      ...(id !== 'getCarpet' && { picture_undrawable: 'a text has letters that no font of the gateway has' }),
      ...(hasGround && { invalid_input: 'there is no such ground' }),
    },
  };
  return {
    operationId: id,
    tags: ['gateway'],
    summary,
    'x-najwa-roles': [...route.roles],
    security: [{}],
    parameters: [
      {
        name: isProfile ? 'username' : 'id',
        in: 'path',
        required: true,
        schema: isProfile ? { type: 'string' } : idSchema,
      },
      ...(isPrompt
        ? [{ name: 'ask', in: 'query', required: true, description: 'Id of the prompt.', schema: idSchema }]
        : []),
      ...(hasGround
        ? [
            {
              name: 'ground',
              in: 'query',
              description: 'Ground of the picture.',
              schema: { type: 'string', enum: [...GROUNDS], default: GROUNDS[0] },
            },
          ]
        : []),
      ...parametersOf(operation, route, () => ({})),
    ],
    responses: { ...successAnswers(operation, () => ({})), ...errorAnswers(route, operation) },
  };
}

/** Drawn by the gateway. */
function qrCodeOperationOf(id: QrCodeId): Json {
  const { path, type } = QR_CODES[id];
  const route: Route = { ...ROUTES.getPublicUser, path };
  const operation: OperationSpec = {
    summary: 'QR code with the address of a page',
    isConditional: true,
    answer: {
      status: 200,
      description: 'The code, with the quiet zone that cameras need.',
      media: [type],
      headers: ['Cache-Control', 'ETag'],
    },
    errors: { user_not_found: 'there is no such account', invalid_input: 'there is no such size' },
  };
  return {
    operationId: id,
    tags: ['gateway'],
    summary: operation.summary,
    'x-najwa-roles': [...route.roles],
    security: [{}],
    parameters: [
      { name: 'username', in: 'path', required: true, schema: { type: 'string' } },
      {
        name: 'size',
        in: 'query',
        description: 'Side in pixels.',
        schema: { type: 'integer', enum: [...QR_SIZES], default: QR_DEFAULT_SIZE },
      },
      ...parametersOf(operation, route, () => ({})),
    ],
    responses: { ...successAnswers(operation, () => ({})), ...errorAnswers(route, operation) },
  };
}

const DOCUMENTATION: Json = {
  operationId: 'getDocumentation',
  tags: ['gateway'],
  summary: 'This description as a page',
  'x-najwa-roles': [...ROUTES.getPublicUser.roles],
  security: [{}],
  responses: { '200': { description: 'The page, without scripts.', content: { 'text/html': {} } } },
};

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
    minimumDays: z
      .number()
      .int()
      .optional()
      .describe('With `account_too_new`: the age that the recipient asks of accounts, in days.'),
    maxBytes: z.number().int().optional().describe('With `image_too_large`: how large a picture may be.'),
    current: z.unknown().optional().describe('With `changed_elsewhere`: the present state, as a read answers it.'),
  })
  .meta({ id: 'Error' });

/** Converts all schemas at once, so that those with an id are shared. Parts are keyed by `operation.part`. */
function convertSchemas(): { parts: Record<string, Json>; shared: Record<string, Json> } {
  const shape: Record<string, z.ZodType> = { error: errorSchema };
  for (const id of OPERATION_IDS) {
    const { params, query, body, form, answer }: OperationSpec = OPERATIONS[id];
    for (const [part, schema] of Object.entries({ params, query, body, form, answer: answer.body }))
      if (schema) shape[`${id}.${part}`] = schema;
  }
  const converted = z.toJSONSchema(z.object(shape), {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // Default limits of integers, true for every JSON number.
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

/** OpenAPI 3.1. */
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
  paths['/api/docs'] = { get: DOCUMENTATION };
  for (const id of Object.keys(QR_CODES) as QrCodeId[]) paths[QR_CODES[id].path] = { get: qrCodeOperationOf(id) };
  for (const id of Object.keys(PICTURES) as PictureId[]) paths[PICTURES[id].path] = { get: pictureOperationOf(id) };
  paths[STREAM_PATH] = { get: streamOperation() };
  const document: Json = {
    openapi: '3.1.0',
    info: {
      title: 'Najwa',
      version: '1.0.0',
      summary: 'The /api paths and the preview pictures of the gateway.',
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
  // Drops undefined members.
  return JSON.parse(JSON.stringify(document)) as Json;
}

function usedAnswers(paths: unknown): Json {
  const text = JSON.stringify(paths);
  return Object.fromEntries(
    Object.entries(SHARED_ANSWERS).filter(([name]) => text.includes(`"#/components/responses/${name}"`)),
  );
}
