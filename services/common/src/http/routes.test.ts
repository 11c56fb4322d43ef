import { createHash, generateKeyPairSync } from 'node:crypto';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { LIMITS, type Answer } from '@najwa/proto/http';
import { AppError } from '../errors/errors.js';
import { Health } from '../service/health.js';
import { createIdentitySigner, createIdentityVerifier, IDENTITY_HEADER, type Identity } from '../identity/identity.js';
import { createLogger } from '../logging/logger.js';
import { Metrics } from '../metrics/metrics.js';
import { createHttpApp } from './app.js';
import { createRoutes, type Call } from './routes.js';
import { createHttpServer, type HttpServer } from './server.js';

const VISITOR: Identity = { user: null, visitorId: 'visitor', ip: '192.0.2.1' };
const USER: Identity = { ...VISITOR, user: { id: 7, isAdmin: false, sessionId: 'session' } };

const MESSAGE: Answer<'createMessage'> = {
  id: 1,
  userId: 2,
  ornament: '00112233445566ff',
  content: 'سلام',
  isRead: false,
  isPublic: false,
  imageUrl: null,
  audioUrl: null,
  audioType: null,
  audioDuration: null,
  audioPeaks: null,
  emoji: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  reply: null,
};

/** Recipients whose recordings are refused at the first piece, or cannot be stored. */
const PAUSED = 13;
const BROKEN = 14;

let server: HttpServer;
let port: number;
let tokens: { visitor: string; user: string };
let received: Call<'createMessage'>['body'][] = [];
let isLimited = false;

const unexpected = (): never => {
  throw new Error('Unexpected call.');
};

beforeAll(async () => {
  const keys = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const signer = createIdentitySigner(keys.privateKey);
  tokens = { visitor: await signer.sign(VISITOR, 'auth'), user: await signer.sign(USER, 'auth') };
  const routes = createRoutes('messages', {
    createMessage: {
      limit: () =>
        isLimited
          ? Promise.reject(new AppError({ code: 'too_many_requests', message: 'Wait.', retryAfter: 3 }))
          : Promise.resolve(),
      handle: ({ body }) => {
        received.push(body);
        return MESSAGE;
      },
    },
    uploadVoiceMessage: async ({ form }) => {
      const hash = createHash('sha256');
      for await (const piece of form) {
        const { userId } = form.preceding();
        if (userId === PAUSED) throw new AppError({ code: 'receiving_paused', message: 'Not now.' });
        if (userId === BROKEN) throw new Error('no space left on device');
        hash.update(piece);
      }
      return { ...MESSAGE, userId: form.complete().userId, content: hash.digest('hex') };
    },
    writeByWayBack: async ({ body, form }) => {
      if (body) return { ...MESSAGE, content: `${body.content} ${body.imageUrl?.bytes.length}` };
      let size = 0;
      for await (const piece of form) size += piece.length;
      return { ...MESSAGE, content: `${form.complete().voiceType} ${size}` };
    },
    listMessages: ({ identity, query }) => [
      { ...MESSAGE, id: identity.user.id, userId: query.limit, conversationId: null },
    ],
    deleteMessage: () => undefined,
    listSentMessages: () => [],
    listMessageMonths: unexpected,
    getMessageStats: unexpected,
    listPublicMessages: unexpected,
    updateMessage: unexpected,
    restoreMessage: unexpected,
    emptyAside: unexpected,
    createBlock: unexpected,
    listBlocks: unexpected,
    deleteBlock: unexpected,
    getFilters: unexpected,
    updateFilters: unexpected,
    updateReceiving: unexpected,
    changeFilters: unexpected,
    createReply: unexpected,
    getPublicMessage: unexpected,
    getWayBack: unexpected,
    endWayBack: unexpected,
    getConversation: unexpected,
    endConversation: unexpected,
    createFollowUp: unexpected,
    deleteWayBack: unexpected,
    getWayBackImage: unexpected,
    getWayBackAudio: unexpected,
    changeMessages: unexpected,
    undoMessages: unexpected,
    listPinnedMessages: unexpected,
    pinMessages: unexpected,
    createExport: unexpected,
    listExports: unexpected,
    getExport: unexpected,
    getExportFile: unexpected,
    createReport: unexpected,
    listNotifications: unexpected,
    countNotifications: unexpected,
    getNotificationSettings: unexpected,
    updateNotificationSettings: unexpected,
    changeNotificationSettings: unexpected,
    readNotifications: unexpected,
    getPushKey: unexpected,
    listPushSubscriptions: unexpected,
    createPushSubscription: unexpected,
    updatePushSubscription: unexpected,
    deletePushSubscription: unexpected,
    testPushSubscription: unexpected,
    listReports: unexpected,
    getReply: unexpected,
  });
  const logger = createLogger({ service: 'test', level: 'silent' });
  const app = createHttpApp({
    logger,
    metrics: new Metrics('test'),
    health: new Health({}, logger),
    identities: createIdentityVerifier(keys.publicKey, 'auth'),
    routes,
  });
  server = createHttpServer({ host: '127.0.0.1', port: 0, listener: app });
  port = await server.listen();
});

afterEach(() => {
  received = [];
  isLimited = false;
});

afterAll(() => server.close());

interface Sent {
  method?: string;
  as?: keyof typeof tokens;
  headers?: Record<string, string>;
  body?: string | FormData;
}

const call = (path: string, { method = 'POST', as = 'visitor', headers = {}, body }: Sent = {}) =>
  fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: {
      [IDENTITY_HEADER]: tokens[as],
      ...(typeof body === 'string' && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  });

/** Withholds the rest of the body. @returns the raw response */
function withhold(head: string[], body: string | Buffer = '', path = '/api/messages'): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk.toString();
      if (!answer.includes('\r\n\r\n{')) return;
      resolve(answer);
      socket.destroy();
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`Closed after: ${answer}`)));
    socket.write(
      [`POST ${path} HTTP/1.1`, 'host: localhost', `${IDENTITY_HEADER}: ${tokens.visitor}`, ...head, '', ''].join(
        '\r\n',
      ),
    );
    socket.write(body);
  });
}

const JSON_HEADER = 'content-type: application/json';
const EIGHT_MEGABYTES = 8 * 1024 * 1024;

// Threat model: gateway-16.
test('a role that is not in the contract is refused', async () => {
  const answer = await call('/api/messages', { method: 'GET' });
  expect(answer.status).toBe(401);
  expect(await answer.json()).toMatchObject({ code: 'not_signed_in' });
});

test('a handler gets identity and validated query, and the response has the status of the contract', async () => {
  const answer = await call('/api/messages?limit=3', { method: 'GET', as: 'user' });
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual([{ ...MESSAGE, id: 7, userId: 3, conversationId: null }]);
  expect((await call('/api/messages/5', { method: 'DELETE', as: 'user' })).status).toBe(204);
  expect((await call('/api/messages', { body: '{"userId":2,"content":" سلام "}' })).status).toBe(201);
  expect(received).toEqual([{ userId: 2, content: 'سلام' }]);
});

test('a path without parameters takes precedence over one with parameters', async () => {
  expect(await (await call('/api/messages/sent', { method: 'GET', as: 'user' })).json()).toEqual([]);
});

test('errors in path, query and body name the field', async () => {
  const faults = async (answer: Promise<Response>) => ((await (await answer).json()) as { fields: unknown }).fields;
  expect(await faults(call('/api/messages/x', { method: 'DELETE', as: 'user' }))).toEqual({ id: 'not_an_id' });
  expect(await faults(call('/api/messages?limit=0', { method: 'GET', as: 'user' }))).toEqual({
    limit: 'out_of_range',
  });
  expect(await faults(call('/api/messages', { body: '{"userId":2,"content":"","isRead":true}' }))).toEqual({
    content: 'required',
    isRead: 'unknown_field',
  });
});

test('a further message is a text in JSON, or a recording in a form', async () => {
  const path = `/api/ways-back/${'A'.repeat(22)}/messages`;
  const text = { content: 'سلام', imageUrl: 'data:image/png;base64,AAAA' };
  expect(await (await call(path, { body: JSON.stringify(text) })).json()).toMatchObject({ content: 'سلام 3' });
  const form = new FormData();
  form.set('audio', new File(['voice'], 'recording.webm'));
  form.set('voiceType', 'male');
  expect(await (await call(path, { body: form })).json()).toMatchObject({ content: 'male 5' });
  form.set('userId', '2');
  expect(await (await call(path, { body: form })).json()).toMatchObject({ fields: { userId: 'unknown_field' } });
  expect((await call(path, { body: 'سلام', headers: { 'content-type': 'text/plain' } })).status).toBe(415);
});

test('the limit refuses before the body arrives', async () => {
  isLimited = true;
  expect(await withhold([JSON_HEADER, `content-length: ${EIGHT_MEGABYTES}`])).toMatch(
    /^HTTP\/1.1 429 .*retry-after: 3/is,
  );
});

test('a body with a too large Content-Length is refused before it arrives', async () => {
  expect(await withhold([JSON_HEADER, `content-length: ${EIGHT_MEGABYTES + 1}`])).toMatch(
    /^HTTP\/1.1 413 .*payload_too_large/s,
  );
});

test.each([
  ['nested arrays', '[', 'malformed'],
  ['keys', '{"a":1,"b":2,"abcdef":', 'malformed'],
  ['an endless string', `"${'a'.repeat(LIMITS.jsonBytes)}`, 'payload_too_large'],
])('%s are refused before most of the body arrives', async (_name, beginning, code) => {
  const body = Buffer.alloc(LIMITS.jsonBytes + 1, beginning);
  expect(await withhold([JSON_HEADER, `content-length: ${EIGHT_MEGABYTES}`], body)).toContain(code);
});

test('an oversized picture is refused before the rest of the body arrives', async () => {
  const body = `{"userId":2,"content":"a","imageUrl":"data:image/png;base64,${'A'.repeat((LIMITS.messageImageBytes / 3) * 4 + 8)}`;
  expect(await withhold([JSON_HEADER, `content-length: ${EIGHT_MEGABYTES}`], body)).toMatch(
    /^HTTP\/1.1 413 .*image_too_large/s,
  );
});

test('a connection can be reused after a refusal', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = (body: string) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { [IDENTITY_HEADER]: tokens.visitor, 'content-type': 'application/json' };
      const sent = httpRequest({ port, host: '127.0.0.1', path: '/api/messages', method: 'POST', headers, agent });
      sent.on('response', resolve).on('error', reject).end(body);
    });
  const refused = await send('['.repeat(EIGHT_MEGABYTES));
  expect(refused.statusCode).toBe(400);
  expect(await text(refused)).toContain('malformed');
  expect((await send('{"userId":2,"content":"a"}')).statusCode).toBe(201);
  agent.destroy();
});

test('a data URL and a form give the handler the same picture', async () => {
  const bytes = Buffer.alloc(1_000_000, 'picture');
  const form = new FormData();
  form.set('userId', '2');
  form.set('content', 'سلام');
  form.set('image', new Blob([bytes]), 'a.png');
  const json = { userId: 2, content: 'سلام', imageUrl: `data:image/png;base64,${bytes.toString('base64')}` };
  expect((await call('/api/messages', { body: JSON.stringify(json) })).status).toBe(201);
  expect((await call('/api/messages', { body: form })).status).toBe(201);

  const [fromJson, fromForm] = received;
  expect(fromJson?.imageUrl?.digest).toBe(createHash('sha256').update(bytes).digest('base64url'));
  expect(fromJson?.imageUrl?.bytes.equals(bytes)).toBe(true);
  expect(fromForm?.imageUrl?.digest).toBe(fromJson?.imageUrl?.digest);
  expect({ ...fromForm, imageUrl: null }).toEqual({ userId: 2, content: 'سلام', imageUrl: null });
});

test('a form without a picture creates a message without one', async () => {
  const form = new FormData();
  form.set('userId', '2');
  form.set('content', 'سلام');
  expect((await call('/api/messages', { body: form })).status).toBe(201);
  expect(received).toEqual([{ userId: 2, content: 'سلام' }]);
});

/** As raw bytes: FormData writes only correct forms. */
const callRaw = (...parts: [head: string, content: string | Buffer][]) => {
  const pieces = parts.flatMap(([head, content]) => [`--b\r\n${head}\r\n\r\n`, content, '\r\n']);
  const body = Buffer.concat([...pieces, '--b--'].map((piece) => Buffer.from(piece)));
  return fetch(`http://127.0.0.1:${port}/api/messages`, {
    method: 'POST',
    headers: { [IDENTITY_HEADER]: tokens.visitor, 'content-type': 'multipart/form-data; boundary=b' },
    body,
  });
};

const field = (name: string, more = ''): string => `Content-Disposition: form-data; name="${name}"${more}`;

const TEXTS: [string, string][] = [
  [field('userId'), '2'],
  [field('content'), 'سلام'],
];

test.each([
  ['a quote in its file name', field('image', '; filename="a"b.jpg"')],
  ['no file name', `${field('image')}\r\nContent-Type: image/jpeg`],
  ['neither file name nor type', field('image')],
])('a picture with %s is never lost', async (_title, head) => {
  const bytes = Buffer.from([0xff, 0xd8, 0xff, 0xe0]);
  expect((await callRaw(...TEXTS, [head, bytes])).status).toBe(201);
  expect(received[0]?.imageUrl?.bytes.equals(bytes)).toBe(true);
});

test('a file input that was left empty is no picture', async () => {
  const head = `${field('image', '; filename=""')}\r\nContent-Type: application/octet-stream`;
  expect((await callRaw(...TEXTS, [head, ''])).status).toBe(201);
  expect(received).toEqual([{ userId: 2, content: 'سلام' }]);
});

test.each([
  ['a file of another name', [field('photo', '; filename="a.jpg"'), 'x'], { photo: 'unknown_field' }],
  ['text that is not UTF-8', [field('other'), Buffer.from('caf\xe9', 'latin1')], { other: 'not_valid' }],
  [
    'an unknown character set',
    [`${field('other')}\r\nContent-Type: text/plain; charset=x`, 'x'],
    { other: 'not_valid' },
  ],
  ['a field that stands twice', [field('content'), 'x'], { content: 'not_valid' }],
] as const)('%s is refused by its name', async (_title, [head, content], fields) => {
  const answer = await callRaw(...TEXTS, [head, content]);
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ code: 'malformed', fields });
});

test('text in a character set that its part names is read in it', async () => {
  const head = `${field('content')}\r\nContent-Type: text/plain; charset=ISO-8859-1`;
  expect((await callRaw([field('userId'), '2'], [head, Buffer.from('caf\xe9', 'latin1')])).status).toBe(201);
  expect(received).toEqual([{ userId: 2, content: 'café' }]);
});

test.each([
  ['an address in place of a picture', '{"userId":2,"content":"a","imageUrl":"/image/a.webp"}'],
  ['another kind of data', '{"userId":2,"content":"a","imageUrl":"data:text/html;base64,AAAA"}'],
])('%s is an unsupported image', async (_name, body) => {
  const answer = await call('/api/messages', { body });
  expect(answer.status).toBe(422);
  expect(await answer.json()).toMatchObject({ code: 'unsupported_image', fields: { imageUrl: 'unsupported_image' } });
});

test('a form with an oversized picture is refused as image_too_large', async () => {
  const form = new FormData();
  form.set('userId', '2');
  form.set('content', 'a');
  form.set('image', new Blob([Buffer.alloc(LIMITS.messageImageBytes + 1)]));
  const answer = await call('/api/messages', { body: form });
  expect(answer.status).toBe(413);
  expect(await answer.json()).toMatchObject({
    code: 'image_too_large',
    fields: { image: 'image_too_large' },
    maxBytes: LIMITS.messageImageBytes,
  });
});

test('the total size of form fields is limited', async () => {
  const form = new FormData();
  for (const name of ['userId', 'content', 'other']) form.set(name, 'a'.repeat(30_000));
  const answer = await call('/api/messages', { body: form });
  expect(await answer.json()).toMatchObject({ code: 'payload_too_large' });
});

test('a recording is streamed to the handler with the valid fields', async () => {
  const bytes = Buffer.alloc(3_000_000, 'sound');
  const form = new FormData();
  form.set('userId', '12');
  form.set('voiceType', 'male');
  form.set('audio', new Blob([bytes]), 'a.webm');
  const answer = await call('/api/audio/upload', { body: form });
  expect(await answer.json()).toMatchObject({
    userId: 12,
    content: createHash('sha256').update(bytes).digest('hex'),
  });
  form.delete('audio');
  const without = await call('/api/audio/upload', { body: form });
  expect(await without.json()).toMatchObject({ code: 'invalid_input', fields: { audio: 'required' } });
});

test('a recording is refused by the fields before it, and the rest of the form is not waited for', async () => {
  const start = `--b\r\n${field('userId')}\r\n\r\n${PAUSED}\r\n--b\r\n${field('audio', '; filename="a.webm"')}\r\n\r\nsound`;
  const head = ['content-type: multipart/form-data; boundary=b', `content-length: ${EIGHT_MEGABYTES}`];
  expect(await withhold(head, start, '/api/audio/upload')).toMatch(/^HTTP\/1.1 403 .*receiving_paused/s);
});

test('an error while a recording is stored is not one of the form', async () => {
  const form = new FormData();
  form.set('userId', String(BROKEN));
  form.set('voiceType', 'male');
  form.set('audio', new Blob([Buffer.alloc(3_000_000, 'sound')]), 'a.webm');
  const answer = await call('/api/audio/upload', { body: form });
  expect([answer.status, await answer.json()]).toEqual([500, expect.objectContaining({ code: 'internal' })]);
});

test.each([
  ['a text', { 'content-type': 'text/plain' }],
  ['another character set', { 'content-type': 'application/json; charset=utf-16' }],
  ['a compressed body', { 'content-encoding': 'gzip' }],
])('%s is refused by its content type', async (_name, headers) => {
  const answer = await call('/api/messages', { body: '{}', headers });
  expect(answer.status).toBe(415);
});
