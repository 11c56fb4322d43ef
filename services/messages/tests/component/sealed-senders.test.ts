import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { namesFor } from '@najwa/common/amqp';
import {
  dataUrl,
  readSample,
  requiredVariable,
  startTestBed,
  type BedAccount,
  type CallerIdentity,
  type TestBed,
} from '@najwa/testing';
import { connect, type ChannelModel } from 'amqplib';
import { keysOf } from '../support/answers.js';
import { sendVoice } from '../support/submissions.js';
import { dumpDatabase, tryGuesses, withDatabase } from '../support/theft.js';

const ADDRESS = '198.51.100.77';
const VISITOR = `telltale-${randomUUID()}`;
/** An id that no other number contains. */
const SENDER_ID = 77_077_077;

const HEADERS = {
  'user-agent': 'TelltaleBrowser/1.0 (telltale-os)',
  referer: 'https://telltale-referrer.example/profile',
  'accept-language': 'tlh-telltale',
};

/** Texts that name the sender of a message. */
const TRACES = [ADDRESS, '198.51.100', VISITOR, 'elltale', String(SENDER_ID)];

/** The sender, in the forms in which services hash it, with the salts of a dump. */
const guessesWith = (dump: string): string[] => [
  `user ${SENDER_ID}`,
  `network ${ADDRESS}`,
  `${owner.id} 198.51.100.0/24`,
  ADDRESS,
  VISITOR,
  `["account",${SENDER_ID}]`,
  `["sender",${SENDER_ID}]`,
  `["visitor","${VISITOR}"]`,
  ...[...dump.matchAll(/"salt":"([^"]+)"/g)].map(([, salt = '']) => JSON.stringify(['network', salt, ADDRESS])),
];

const administrator: CallerIdentity = { userId: 1_000_002, isAdmin: true, ip: '192.0.2.9' };

/** Gives the next account the id of the sender. */
const prepareSenderId = (bed: TestBed): Promise<unknown> =>
  withDatabase(bed, 'auth', (connection) =>
    connection
      .collection<{ _id: string; value: number }>('counters')
      .updateOne({ _id: 'users' }, { $set: { value: SENDER_ID - 1 } }, { upsert: true }),
  );

const findTraces = (dump: Map<string, string>): string[] =>
  [...dump].flatMap(([name, text]) =>
    TRACES.filter((trace) => text.includes(trace)).map((trace) => `${trace} in ${name}`),
  );

const visitor: CallerIdentity = { visitorId: VISITOR, ip: ADDRESS };

let bed: TestBed;
let owner: BedAccount;
let sender: BedAccount;

const as = (identity: CallerIdentity, method: string, path: string, body?: unknown) =>
  bed.call(path.startsWith('/api/admin') ? 'admin' : 'messages', method, path, {
    identity,
    ...(body !== undefined && { body }),
  });

async function prepare(services: Parameters<typeof startTestBed>[0]['services'], env: Record<string, string> = {}) {
  bed = await startTestBed({ services, env: { RATE_LIMIT_SCALE: '1000', ...env } });
  owner = await bed.newAccount();
  await prepareSenderId(bed);
  sender = await bed.newAccount();
  expect(sender.id).toBe(SENDER_ID);
}

const send = (from: CallerIdentity, content = 'رسالة', imageUrl?: string) =>
  bed.sendMessage(owner.id, { content, ...(imageUrl && { imageUrl }) }, { identity: from, headers: HEADERS });

describe('after the journey of a visitor and an account', () => {
  let account: CallerIdentity;
  let broker: ChannelModel;
  const events: string[] = [];
  const sent: number[] = [];

  beforeAll(async () => {
    await prepare(['media', 'auth', 'tracking', 'messages', 'admin']);
    account = { ...sender.identity, ...visitor };
    broker = await connect(requiredVariable('AMQP_URL'));
    const channel = await broker.createChannel();
    const { queue } = await channel.assertQueue('', { exclusive: true });
    const { exchange } = namesFor(bed.environment['AMQP_PREFIX'] ?? '');
    for (const key of ['message.#', 'reply.#', 'report.#']) await channel.bindQueue(queue, exchange, key);
    await channel.consume(
      queue,
      (message) =>
        message && events.push(`${JSON.stringify([message.fields, message.properties])}${message.content.toString()}`),
      { noAck: true },
    );
    const picture = dataUrl(await readSample('photo-gps.jpg'), 'image/jpeg');
    const audio = await readSample('speech-0.3s.webm');
    for (const from of [visitor, account]) {
      sent.push((await send(from, 'سلام', picture)).id);
      const voice = await sendVoice(bed, owner.id, { identity: from, audio, headers: HEADERS });
      expect(voice.status).toBe(201);
      sent.push((voice.body as { id: number }).id);
    }
    for (const id of sent) {
      await as(owner.identity, 'PATCH', `/api/messages/${id}`, { isPublic: true });
      await as(owner.identity, 'POST', '/api/replies', { messageId: id, content: 'شكرًا' });
      const { status } = await as(owner.identity, 'POST', '/api/reports', { messageId: id, reason: 'threat' });
      expect(status).toBe(201);
    }
    const { body: reports } = await as(administrator, 'GET', '/api/admin/reports');
    for (const { id } of reports as { id: number }[]) {
      const action = { action: 'block', reason: 'تهديد' };
      expect((await as(administrator, 'POST', `/api/admin/reports/${id}/actions`, action)).status).toBe(201);
    }
    await as(owner.identity, 'POST', '/api/blocks', { messageId: sent[0] });
    await as(owner.identity, 'PUT', '/api/filters', { words: ['إعلان'], lists: ['insults'] });
    for (const from of [visitor, account]) await send(from, 'إعلان');
    await as(owner.identity, 'DELETE', `/api/messages/${sent[0]}`);
  });

  afterAll(async () => {
    await broker.close();
    await bed.stop();
  });

  // Threat model: admin-1.
  test('an administrator sees where messages came from, and the audit log records it', async () => {
    await bed.eventually(async () => {
      const { body } = await as(administrator, 'GET', '/api/admin/sender-tracking');
      const traces = (body as { ipAddress: string; userAgent: string; referrer: string }[]).map(
        ({ ipAddress, userAgent, referrer }) => ({ ipAddress, userAgent, referrer }),
      );
      const trace = { ipAddress: ADDRESS, userAgent: HEADERS['user-agent'], referrer: HEADERS.referer };
      expect(traces).toEqual(Array.from({ length: 5 }, () => trace));
    });
    const { body } = await as(administrator, 'GET', '/api/admin/audit');
    expect(body).toContainEqual(expect.objectContaining({ action: 'tracking.list', userId: administrator.userId }));
  });

  test('an account still finds what it sent, with counts, picture and replies', async () => {
    const { body } = await as(sender.identity, 'GET', '/api/messages/sent');
    const listed = body as { id: number; senderUserId: number; imageUrl: string | null }[];
    expect(listed.map(({ senderUserId }) => senderUserId)).toEqual([SENDER_ID, SENDER_ID, SENDER_ID]);
    expect(listed.map(({ id }) => id)).toEqual(expect.arrayContaining([sent[2], sent[3]]));
    expect((await as(sender.identity, 'GET', '/api/messages/stats')).body).toMatchObject({ sent: 3 });
    const { id, imageUrl } = listed.find((message) => message.imageUrl !== null) ?? { id: 0, imageUrl: null };
    await as(owner.identity, 'PATCH', `/api/messages/${id}`, { isPublic: false });
    const image = await bed.call('media', 'GET', `/api${imageUrl}`, { identity: sender.identity });
    expect(image.status).toBe(200);
    expect((await as(sender.identity, 'GET', `/api/replies/${id}`)).body).toMatchObject({ content: 'شكرًا' });
    expect((await as(owner.identity, 'GET', '/api/messages/sent')).body).toEqual([]);
  });

  // Threat model: rabbitmq-2.
  test('no event on the broker reveals the sender', async () => {
    await bed.eventually(() => {
      for (const name of ['messageCreated', 'messageSetAside', 'messageDeleted', 'messageUpdated', 'reportDecided'])
        expect(events.join('\n')).toContain(`"${name}"`);
    });
    expect(findTraces(new Map(events.map((text, index) => [String(index), text])))).toEqual([]);
    expect(tryGuesses(events.join('\n'), guessesWith(''))).toEqual([]);
  });

  // Threat model: thief-1.
  test('no stored document reveals the sender, not even by trying every account and address', async () => {
    const dump = new Map<string, string>();
    for (const service of ['auth', 'media', 'tracking', 'messages', 'admin'] as const)
      for (const [name, text] of await dumpDatabase(bed, service)) dump.set(name, text);
    for (const name of ['messages.messages', 'messages.rate_limits', 'media.pictures', 'tracking.sender_tracking_info'])
      expect(dump.get(name)?.length ?? 0).toBeGreaterThan(100);
    // The account itself, with what it says of itself.
    for (const name of ['auth.users', 'auth.sessions', 'auth.counters']) dump.delete(name);
    expect(findTraces(dump)).toEqual([]);
    const text = [...dump.values()].join('\n');
    expect(tryGuesses(text, guessesWith(text))).toEqual([]);
  });
});

// Threat model: thief-1.
test('no stored document reveals the sender while the broker is away and events wait', async () => {
  await prepare(['auth', 'messages'], { AMQP_URL: 'amqp://127.0.0.1:1' });
  try {
    for (const from of [visitor, { ...sender.identity, ...visitor }]) await send(from);
    const dump = await dumpDatabase(bed, 'messages');
    expect(keysOf(JSON.parse(dump.get('messages.messages') ?? '')).filter((key) => key === 'body')).toHaveLength(2);
    expect(findTraces(dump)).toEqual([]);
    const text = [...dump.values()].join('\n');
    expect(tryGuesses(text, guessesWith(text))).toEqual([]);
    expect((await as(sender.identity, 'GET', '/api/messages/stats')).body).toMatchObject({ sent: 1 });
  } finally {
    await bed.stop();
  }
});
