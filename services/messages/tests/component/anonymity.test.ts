import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { namesFor } from '@najwa/common/amqp';
import {
  readSample,
  requiredVariable,
  startTestBed,
  type BedAccount,
  type CallerIdentity,
  type TestBed,
} from '@najwa/testing';
import { connect, type ChannelModel } from 'amqplib';
import { Client } from 'minio';
import {
  fetchAnswer,
  fetchAnswersAbout,
  keysOf,
  messagesIn,
  type FetchedAnswer,
  type Message,
} from '../support/answers.js';

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
let owner: BedAccount;
let sender: BedAccount;
let stranger: BedAccount;
const logLines: string[] = [];
const events: { routingKey: string; text: string }[] = [];
/** Messages with the kind of their sender. */
const sent: { from: string; id: number }[] = [];
/** Tokens of their ways back, and what is stored of these. */
const waysBack: string[] = [];

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
    body: { userId: owner.id, content: CONTENT, imageUrl: picture },
  });
  const form = new FormData();
  form.set('userId', String(owner.id));
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
    const { id, wayBack } = answer.body as Message & { wayBack: string };
    sent.push({ from, id });
    const token = wayBack.slice('/r/'.length);
    waysBack.push(token, createHash('sha256').update(token).digest('base64url'));
    // They are used before anything else happens, so that what the use leaves behind is found as well.
    expect((await bed.call('messages', 'GET', `/api/ways-back/${token}`)).status).toBe(200);
  }
}

beforeAll(async () => {
  bed = await startTestBed({
    services: ['media', 'auth', 'tracking', 'messages', 'admin'],
    env: { RATE_LIMIT_SCALE: '1000' },
    onLogLine: (line) => logLines.push(line),
  });
  await recordEvents();
  owner = await bed.newAccount();
  sender = await bed.newAccount({ username: 'telltale-account', name: 'Telltale Person' });
  stranger = await bed.newAccount();
  const traces = { visitorId: 'telltale-visitor', sessionId: 'telltale-session', ip: '198.51.100.77' };
  await sendAs('visitor', traces);
  await sendAs('account', { ...traces, userId: sender.id });
});

afterAll(async () => {
  await broker.close();
  await bed.stop();
});

/** The sender traces in a text. */
const findTraces = (text: string): string[] => [...SENDER_TRACES, ...waysBack].filter((trace) => text.includes(trace));

const fetchEverything = (identity: CallerIdentity): Promise<FetchedAnswer[]> =>
  fetchAnswersAbout(
    bed,
    owner,
    sent.map(({ id }) => id),
    identity,
  );

describe('the sender of a message', () => {
  beforeAll(async () => {
    // Publishes every message and replies to it, so that visitors can read everything.
    for (const { id } of sent) {
      const asOwner = { identity: { userId: owner.id } };
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

  // Threat model: owner-1.
  test.each<[string, () => CallerIdentity]>([
    ['its recipient', () => ({ userId: owner.id })],
    ['a stranger with an account', () => ({ userId: stranger.id })],
    ['an administrator', () => ({ userId: stranger.id, isAdmin: true })],
    ['a visitor', () => ({})],
  ])('the sender does not appear in any answer to %s', async (_role, identity) => {
    const seen = await fetchEverything(identity());
    expect(seen.filter(({ status }) => status === 200).length).toBeGreaterThan(8);
    expect(seen.flatMap(({ text }) => findTraces(text))).toEqual([]);
    expect(
      seen
        .flatMap(({ keys }) => keys)
        .filter((key) =>
          /sender|visitorId|session|address|agent|referrer|language|revision|submission|wayBack/i.test(key),
        ),
    ).toEqual([]);
  });

  // Threat model: owner-14.
  test('the sender does not appear when blocked, filtered, restored or discarded', async () => {
    const asOwner = { identity: { userId: owner.id } };
    const traces = { visitorId: 'telltale-visitor', sessionId: 'telltale-session', ip: '198.51.100.77' };
    const [first] = sent;
    const blocked = await bed.call('messages', 'POST', '/api/blocks', { ...asOwner, body: { messageId: first?.id } });
    await bed.call('messages', 'PUT', '/api/filters', { ...asOwner, body: { words: ['telltale'], lists: ['scams'] } });
    const later = await bed.sendMessage(owner.id, { content: CONTENT }, { identity: traces, headers: HEADERS });
    const restored = await bed.sendMessage(owner.id, { content: CONTENT }, { identity: traces, headers: HEADERS });
    const answers = [
      blocked,
      await bed.call('messages', 'POST', `/api/messages/${restored.id}/restore`, asOwner),
      await bed.call('messages', 'GET', '/api/messages?folder=aside', asOwner),
    ];
    expect(messagesIn(answers[2]?.body).map(({ id }) => id)).toEqual([later.id]);
    const seen = [...answers.map(({ body }) => body), ...(await fetchEverything({ userId: owner.id }))];
    expect(findTraces(JSON.stringify(seen).replaceAll(CONTENT, ''))).toEqual([]);
    expect(keysOf(seen).filter((key) => /sender|tags|visitorId|network|address|account|salt|key$/i.test(key))).toEqual(
      [],
    );
    for (const { id } of [later, restored]) await bed.call('messages', 'DELETE', `/api/messages/${id}`, asOwner);
  });

  // Threat model: owner-20, visitor-7, moderator-1.
  test('the sender of a reported message does not appear to moderators, the reporter or a thief of the database', async () => {
    const traces = { visitorId: 'telltale-visitor', sessionId: 'telltale-session', ip: '198.51.100.77' };
    const answers: unknown[] = [];
    const ask = async (
      service: 'messages' | 'admin',
      method: string,
      path: string,
      by: CallerIdentity,
      given?: object,
    ) => {
      const { status, body } = await bed.call(service, method, path, { identity: by, ...(given && { body: given }) });
      expect(status).toBeLessThan(300);
      answers.push(body);
      return body as { id: number };
    };
    const moderator = { userId: 1_000_001, isModerator: true };
    const administrator = { userId: 1_000_002, isAdmin: true };
    for (const { id: messageId } of sent) {
      const { id } = await ask(
        'messages',
        'POST',
        '/api/reports',
        { userId: owner.id },
        { messageId, reason: 'threat' },
      );
      await ask('messages', 'POST', '/api/reports', traces, { messageId, reason: 'spam' });
      await ask('admin', 'POST', `/api/admin/reports/${id}/open`, moderator);
    }
    const account = sent.find(({ from }) => from === 'account');
    const reports = (await ask('admin', 'GET', '/api/admin/reports?limit=100', moderator)) as unknown as {
      id: number;
    }[];
    const own = (await ask('messages', 'GET', '/api/reports', { userId: owner.id })) as unknown as {
      id: number;
      messageId: number;
    }[];
    const reported = own.find(({ messageId }) => messageId === account?.id)?.id;
    expect(reports.map(({ id }) => id)).toContain(reported);
    const actions: number[] = [];
    for (const action of ['suspend', 'block']) {
      const path = `/api/admin/reports/${reported}/actions`;
      actions.push((await ask('admin', 'POST', path, administrator, { action, reason: 'سبب' })).id);
    }
    const database = await bed.openDatabase('messages');
    const stored = await Promise.all(
      ['reports', 'inbox_rules'].map((name) => database.collection(name).find().toArray()),
    );
    await database.close();
    expect(stored.flat().length).toBeGreaterThan(sent.length);
    expect(keysOf(stored).filter((key) => /senderUserId|session|address|agent/i.test(key))).toEqual([]);
    for (const id of actions)
      await ask(
        'admin',
        'POST',
        `/api/admin/actions/${id}/undo`,
        { ...administrator, userId: 1_000_003 },
        { reason: 'سبب' },
      );
    const seen = JSON.stringify([...answers, stored]).replaceAll(CONTENT, '');
    expect(findTraces(seen)).toEqual([]);
    expect(
      keysOf(answers).filter((key) => /tag|visitorId|session|address|agent|reporter|recipient|userId/i.test(key)),
    ).toEqual([]);
  });

  // Threat model: owner-6.
  test('the sender cannot be inferred from the order or the fields of a message', async () => {
    const { body } = await fetchAnswer(bed, 'messages', '/api/messages?sort=oldest', { userId: owner.id });
    const messages = body as Message[];
    expect(messages.map(({ id }) => id)).toEqual(sent.map(({ id }) => id));
    expect(Object.keys(messages[0] ?? {})).toEqual(Object.keys(messages[2] ?? {}));
    expect(Object.keys(messages[1] ?? {})).toEqual(Object.keys(messages[3] ?? {}));
  });

  // Threat model: owner-4.
  test('the sender cannot be inferred from the time, which every reader gets rounded to the minute', async () => {
    const asOwner = { identity: { userId: owner.id } };
    const [{ id: first } = { id: 0 }] = sent;
    const changed = await bed.call('messages', 'PATCH', `/api/messages/${first}`, {
      ...asOwner,
      body: { isRead: true },
    });
    const seen = [...(await fetchEverything({ userId: owner.id })), ...(await fetchEverything({}))].flatMap(
      ({ messages }) => messages,
    );
    expect(seen.length).toBeGreaterThan(4 * sent.length);
    for (const { createdAt } of [...seen, ...messagesIn(changed.body)])
      expect(createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00\.000Z$/);
    expect((await fetchEverything({})).flatMap(({ text }) => text.match(/"last-modified"/gi) ?? [])).toEqual([]);
  });

  // Threat model: owner-1.
  test('the sender appears in no event', async () => {
    await bed.eventually(() =>
      expect(new Set(events.map(({ routingKey }) => routingKey))).toEqual(
        new Set([
          'account.suspended',
          'message.created.file',
          'message.deleted',
          'message.restored',
          'message.set_aside.text',
          'message.updated',
          'notification.created',
          'notifications.read',
          'reply.saved',
          'report.created',
          'report.decided',
          'user.created',
        ]),
      ),
    );
    expect(events.flatMap(({ text }) => findTraces(text))).toEqual([]);
    const keys = events.flatMap(({ text }) => keysOf(JSON.parse(text)));
    expect(new Set(keys.filter((key) => /sender/i.test(key)))).toEqual(new Set(['sealedSender']));
  });

  // Threat model: owner-2.
  test('the sender appears in no stored object, neither in its bytes nor in its metadata', async () => {
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

  // Threat model: owner-1, owner-15.
  test('neither sender nor text appears in a log line', () => {
    expect(logLines.length).toBeGreaterThan(0);
    expect(logLines.flatMap((line) => findTraces(line))).toEqual([]);
    expect(logLines.filter((line) => line.includes('telltale') || line.includes('سرّ'))).toEqual([]);
  });
});

test('only the account that sent a message gets its own id with it', async () => {
  const own = await fetchAnswer(bed, 'messages', '/api/messages/sent', { userId: sender.id });
  expect(
    (own.body as { id: number; senderUserId: number }[]).map(({ id, senderUserId }) => [id, senderUserId]),
  ).toEqual(
    sent
      .filter(({ from }) => from === 'account')
      .map(({ id }) => [id, sender.id])
      .reverse(),
  );
  expect((await fetchAnswer(bed, 'messages', '/api/messages/sent', { userId: owner.id })).body).toEqual([]);
});
