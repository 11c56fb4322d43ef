import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { IDENTITY_HEADER, namesFor } from '@najwa/common';
import { readSample, requiredVariable, startTestBed, type CallerIdentity, type TestBed } from '@najwa/dev-env';
import { connect, type ChannelModel } from 'amqplib';
import { Client } from 'minio';

const CONTENT = 'telltale-content سرّ';

/** Values that would reveal the sender of a message. */
const SENDER_TRACES = [
  // From the request
  'TelltaleBrowser',
  'telltale-referrer',
  'tlh-telltale',
  '198.51.100.77',
  'telltale-visitor',
  'telltale-session',
  'telltale-key',
  'telltale-name',
  // From the account
  'telltale-account',
  'Telltale Person',
  // From the picture and the recording
  'Canon',
  'Najwa Tester',
  '0923847561',
  "Omar's iPhone",
  '24.7136',
];

const HEADERS = {
  'user-agent': 'TelltaleBrowser/1.0 (telltale-os)',
  referer: 'https://telltale-referrer.example/profile',
  'accept-language': 'tlh-telltale',
};

let bed: TestBed;
let broker: ChannelModel;
let owner: number;
let sender: number;
let stranger: number;
const logLines: string[] = [];
const events: { routingKey: string; text: string }[] = [];
/** Messages with the kind of their sender. */
const sent: { from: string; id: number }[] = [];

const newAccount = async (username: string, name: string): Promise<number> =>
  (await bed.newAccount({ username, name })).id;

async function recordEvents(): Promise<void> {
  broker = await connect(requiredVariable('AMQP_URL'));
  const channel = await broker.createChannel();
  const { queue } = await channel.assertQueue('', { exclusive: true });
  await channel.bindQueue(queue, namesFor(bed.environment['AMQP_PREFIX'] ?? '').exchange, '#');
  await channel.consume(
    queue,
    (message) =>
      message && events.push({ routingKey: message.fields.routingKey, text: message.content.toString('utf8') }),
    { noAck: true },
  );
}

async function sendAs(from: string, identity: CallerIdentity): Promise<void> {
  const picture = `data:image/jpeg;base64,${(await readSample('photo-gps.jpg')).toString('base64')}`;
  const headers = { ...HEADERS, 'idempotency-key': `telltale-key-${from}` };
  const text = await bed.call('messages', 'POST', '/api/messages', {
    identity,
    headers,
    body: { userId: owner, content: CONTENT, imageUrl: picture },
  });
  const form = new FormData();
  form.set('userId', String(owner));
  form.set('voiceType', 'female');
  form.set('audio', new File([await readSample('tagged.mp4')], 'telltale-name.mp4', { type: 'audio/mp4' }));
  const request = new Request('http://localhost', { method: 'POST', body: form });
  const voice = await bed.call('messages', 'POST', '/api/audio/upload', {
    identity,
    headers: { ...headers, 'idempotency-key': `telltale-key-voice-${from}` },
    init: {
      headers: { 'content-type': request.headers.get('content-type') ?? '' },
      body: Buffer.from(await request.arrayBuffer()),
    },
  });
  for (const answer of [text, voice]) {
    expect(answer.status).toBe(201);
    sent.push({ from, id: (answer.body as Message).id });
  }
}

beforeAll(async () => {
  bed = await startTestBed({
    services: ['media', 'auth', 'tracking', 'messages'],
    env: { RATE_LIMIT_SCALE: '1000' },
    onLogLine: (line) => logLines.push(line),
  });
  await recordEvents();
  owner = await newAccount('noura-page', 'نورة');
  sender = await newAccount('telltale-account', 'Telltale Person');
  stranger = await newAccount('ghareeb', 'غريب');
  const traces = { visitorId: 'telltale-visitor', sessionId: 'telltale-session', ip: '198.51.100.77' };
  await sendAs('visitor', traces);
  await sendAs('account', { ...traces, userId: sender });
});

afterAll(async () => {
  await broker.close();
  await bed.stop();
});

/** The sender traces in a text. */
const findTraces = (text: string): string[] => SENDER_TRACES.filter((trace) => text.includes(trace));

function keysOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keysOf);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...keysOf(inner)]);
}

interface Message {
  id: number;
  audioUrl: string | null;
  createdAt: string;
}

/** All messages in an answer, at any depth. */
function messagesIn(value: unknown): Message[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(messagesIn);
  return 'audioUrl' in value ? [value as Message, ...inner] : inner;
}

interface FetchedAnswer {
  status: number;
  text: string;
  keys: string[];
  messages: Message[];
}

/** The headers and body of an answer, as the caller receives them. */
async function fetchAnswer(
  service: 'auth' | 'messages' | 'media',
  path: string,
  identity: CallerIdentity,
): Promise<FetchedAnswer & { body: unknown }> {
  const response = await fetch(`${bed.url(service)}${path}`, {
    headers: { [IDENTITY_HEADER]: await bed.identityToken(identity) },
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  const body: unknown = isJson ? JSON.parse(bytes.toString('utf8')) : null;
  return {
    status: response.status,
    text: `${JSON.stringify([...response.headers])}${bytes.toString('latin1')}`,
    keys: keysOf(body),
    messages: messagesIn(body),
    body,
  };
}

/** All answers about the owner and the owner's messages. */
async function fetchEverything(identity: CallerIdentity): Promise<FetchedAnswer[]> {
  const seen: FetchedAnswer[] = [];
  const paths = new Set<string>(
    ['newest', 'oldest'].flatMap((sort) => [
      ...['all', 'read', 'unread'].map((filter) => `messages /api/messages?sort=${sort}&filter=${filter}`),
      `messages /api/messages/public/${owner}?sort=${sort}`,
    ]),
  );
  for (const path of [
    'messages /api/messages/stats',
    'auth /api/user',
    'auth /api/users/noura-page',
    `auth /api/users/by-id/${owner}`,
  ])
    paths.add(path);
  for (const { id } of sent) paths.add(`messages /api/replies/${id}`);
  for (const path of paths) {
    const [service, target] = path.split(' ') as ['auth' | 'messages' | 'media', string];
    const answer = await fetchAnswer(service, target, identity);
    seen.push(answer);
    for (const media of answer.text.match(/\/(image|audio\/stream)\/[\w.-]+/g) ?? []) {
      paths.add(`media /api${media}`);
      if (media.startsWith('/image/')) paths.add(`media /api${media}?size=small`);
    }
  }
  return seen;
}

describe('the sender of a message', () => {
  beforeAll(async () => {
    // Publishes every message and replies to it, so that visitors can read everything.
    for (const { id } of sent) {
      const asOwner = { identity: { userId: owner } };
      for (const [method, path, body] of [
        ['PATCH', `/api/messages/${id}`, { isPublic: true }],
        ['POST', '/api/replies', { messageId: id, content: 'شكرًا' }],
      ] as const) {
        const { status, body: answer } = await bed.call('messages', method, path, { ...asOwner, body });
        expect(status).toBeLessThan(300);
        expect([findTraces(JSON.stringify(answer)), keysOf(answer)]).toEqual([
          [],
          expect.not.arrayContaining(['senderUserId']),
        ]);
      }
    }
    // Media applies the new permissions when the events arrive.
    await bed.eventually(async () => {
      const media = (await fetchEverything({})).filter(({ text }) => /image\/|audio\//.test(text.slice(0, 400)));
      expect(media.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(sent.length / 2);
    });
  });

  test.each<[string, () => CallerIdentity]>([
    ['its recipient', () => ({ userId: owner })],
    ['a stranger with an account', () => ({ userId: stranger })],
    ['an administrator', () => ({ userId: stranger, isAdmin: true })],
    ['a visitor', () => ({})],
  ])('does not appear in any answer to %s', async (_role, identity) => {
    const seen = await fetchEverything(identity());
    expect(seen.filter(({ status }) => status === 200).length).toBeGreaterThan(8);
    expect(seen.flatMap(({ text }) => findTraces(text))).toEqual([]);
    expect(
      seen
        .flatMap(({ keys }) => keys)
        .filter((key) => /sender|visitorId|session|address|agent|referrer|language|revision|submission/i.test(key)),
    ).toEqual([]);
  });

  test('cannot be inferred from the order or the fields of a message', async () => {
    const { body } = await fetchAnswer('messages', '/api/messages?sort=oldest', { userId: owner });
    const messages = body as Message[];
    expect(messages.map(({ id }) => id)).toEqual(sent.map(({ id }) => id));
    expect(Object.keys(messages[0] ?? {})).toEqual(Object.keys(messages[2] ?? {}));
    expect(Object.keys(messages[1] ?? {})).toEqual(Object.keys(messages[3] ?? {}));
  });

  test('cannot be inferred from the time: every reader gets it rounded to the minute', async () => {
    const asOwner = { identity: { userId: owner } };
    const [{ id: first } = { id: 0 }] = sent;
    const changed = await bed.call('messages', 'PATCH', `/api/messages/${first}`, {
      ...asOwner,
      body: { isRead: true },
    });
    const seen = [...(await fetchEverything({ userId: owner })), ...(await fetchEverything({}))].flatMap(
      ({ messages }) => messages,
    );
    expect(seen.length).toBeGreaterThan(4 * sent.length);
    for (const { createdAt } of [...seen, ...messagesIn(changed.body)])
      expect(createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00\.000Z$/);
    expect((await fetchEverything({})).flatMap(({ text }) => text.match(/"last-modified"/gi) ?? [])).toEqual([]);
  });

  test('appears in no event except in the trace for tracking', async () => {
    await bed.eventually(() =>
      expect(new Set(events.map(({ routingKey }) => routingKey))).toEqual(
        new Set(['message.created', 'message.updated', 'reply.saved', 'user.created']),
      ),
    );
    const created = events.filter(({ routingKey }) => routingKey === 'message.created');
    expect(created.every(({ text }) => findTraces(text).length > 0)).toBe(true);
    const parsed = events.map(({ text }) => JSON.parse(text) as { messageCreated?: { sender?: unknown } });
    for (const { messageCreated } of parsed) delete messageCreated?.sender;
    expect(parsed.flatMap((event) => findTraces(JSON.stringify(event)))).toEqual([]);
    expect(parsed.flatMap(keysOf).filter((key) => /sender/i.test(key))).toEqual([]);
  });

  test('appears in no stored object, neither in its bytes nor in its metadata', async () => {
    const { hostname, port } = new URL(requiredVariable('S3_ENDPOINT'));
    const store = new Client({
      endPoint: hostname,
      port: Number(port),
      useSSL: false,
      accessKey: requiredVariable('S3_ACCESS_KEY'),
      secretKey: requiredVariable('S3_SECRET_KEY'),
    });
    const bucket = bed.environment['S3_BUCKET'] ?? '';
    const found: string[] = [];
    let objects = 0;
    for await (const { name } of store.listObjectsV2(bucket, '', true) as AsyncIterable<{ name: string }>) {
      objects += 1;
      const chunks: Buffer[] = [];
      for await (const chunk of (await store.getObject(bucket, name)) as AsyncIterable<Buffer>) chunks.push(chunk);
      const { metaData } = await store.statObject(bucket, name);
      found.push(...findTraces(`${name}${JSON.stringify(metaData)}${Buffer.concat(chunks).toString('latin1')}`));
    }
    expect(objects).toBeGreaterThanOrEqual(sent.length);
    expect(found).toEqual([]);
  });

  test('does not appear in any log line, and neither does the text', () => {
    expect(logLines.length).toBeGreaterThan(0);
    expect(logLines.flatMap((line) => findTraces(line))).toEqual([]);
    expect(logLines.filter((line) => line.includes('telltale') || line.includes('سرّ'))).toEqual([]);
  });
});

test('only the account that sent a message gets its own id with it', async () => {
  const own = await fetchAnswer('messages', '/api/messages/sent', { userId: sender });
  expect(
    (own.body as { id: number; senderUserId: number }[]).map(({ id, senderUserId }) => [id, senderUserId]),
  ).toEqual(
    sent
      .filter(({ from }) => from === 'account')
      .map(({ id }) => [id, sender])
      .reverse(),
  );
  expect((await fetchAnswer('messages', '/api/messages/sent', { userId: owner })).body).toEqual([]);
});
