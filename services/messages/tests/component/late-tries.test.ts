import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { startTestBed, type Answer, type TestBed } from '@najwa/dev-env';
import { createContext, type MessagesContext } from '../../src/context.js';
import { sweep } from '../../src/domain/sweep.js';
import { loadConfig } from '../../src/index.js';

let bed: TestBed;
/** A second replica, of which no port is open. */
let replica: MessagesContext;
let owner: number;
let sender: number;

async function newUser(): Promise<number> {
  const answer = await bed.call('auth', 'POST', '/api/register', {
    body: {
      name: 'نورة',
      username: `u-${randomUUID().slice(0, 12)}`,
      password: 'correct horse',
      confirmPassword: 'correct horse',
      terms: true,
    },
  });
  return (answer.body as { id: number }).id;
}

beforeAll(async () => {
  bed = await startTestBed({ services: ['auth', 'media', 'messages'], env: { RATE_LIMIT_SCALE: '0' } });
  replica = await createContext(loadConfig(bed.environmentOf('messages')));
  await replica.database.connect();
});

beforeEach(async () => {
  [owner, sender] = await Promise.all([newUser(), newUser()]);
});

afterAll(async () => {
  replica.auth.close();
  replica.media.close();
  await replica.database.close();
  await bed.stop();
});

/** The same submission at each call. */
async function submission(): Promise<() => Promise<Answer>> {
  const file = await readFile(new URL('../../../media/tests/samples/photo-gps.jpg', import.meta.url));
  const body = { userId: owner, content: 'مرة واحدة', imageUrl: `data:image/jpeg;base64,${file.toString('base64')}` };
  const headers = { 'idempotency-key': randomUUID() };
  return () => bed.call('messages', 'POST', '/api/messages', { body, headers, identity: { userId: sender } });
}

const remains = (id: number) => replica.messages.collection.findOne({ id });

const toldOf = (id: number): Promise<void> =>
  bed.eventually(async () => expect(await remains(id)).toHaveProperty('senderUserId', null));

test('what was deleted does not come back by a late try of its submission, and its sender learns nothing of it', async () => {
  const send = await submission();
  const { id, content } = (await send()).body as { id: number; content: string };
  await bed.call('messages', 'DELETE', `/api/messages/${id}`, { identity: { userId: owner } });
  const atOnce = await send();
  await toldOf(id);
  for (const again of [atOnce, await send()]) expect([again.status, again.body]).toMatchObject([201, { id, content }]);
  for (const [userId, list] of [
    [owner, '/api/messages'],
    [sender, '/api/messages/sent'],
  ] as const) {
    expect((await bed.call('messages', 'GET', list, { identity: { userId } })).body).toEqual([]);
  }
  expect(
    (await bed.call('messages', 'GET', '/api/messages/stats', { identity: { userId: owner } })).body,
  ).toMatchObject({ received: 0 });
});

test('of a deleted message stay neither words nor sender nor media, and after a day nothing', async () => {
  const { id } = (await (await submission())()).body as { id: number };
  await bed.call('messages', 'DELETE', `/api/messages/${id}`, { identity: { userId: owner } });
  await toldOf(id);
  expect(await remains(id)).toMatchObject({
    content: '',
    senderUserId: null,
    imageName: null,
    audio: null,
    reply: null,
  });
  await sweep(replica, new Date(Date.now() + 23 * 60 * 60 * 1000));
  expect(await remains(id)).not.toBeNull();
  await sweep(replica, new Date(Date.now() + 25 * 60 * 60 * 1000));
  expect(await remains(id)).toBeNull();
});

test('a reply that was replaced does not come back by a late try of its submission', async () => {
  const { id: messageId } = (await (await submission())()).body as { id: number };
  const headers = { 'idempotency-key': randomUUID() };
  const reply = (content: string, key: Record<string, string> = {}) =>
    bed.call('messages', 'POST', '/api/replies', {
      body: { messageId, content },
      headers: key,
      identity: { userId: owner },
    });
  const first = await reply('أولًا', headers);
  await reply('ثانيًا');
  const again = await reply('أولًا', headers);
  expect([again.status, again.body]).toEqual([201, first.body]);
  expect(await reply('ثالثًا', headers)).toMatchObject({ status: 409, body: { code: 'idempotency_conflict' } });
  expect(
    (await bed.call('messages', 'GET', `/api/replies/${messageId}`, { identity: { userId: owner } })).body,
  ).toMatchObject({ content: 'ثانيًا' });
});

test('a key that was used for a reply is refused for another one, to any message', async () => {
  const messageIds = [];
  for (let count = 0; count < 2; count += 1)
    messageIds.push(((await (await submission())()).body as { id: number }).id);
  const headers = { 'idempotency-key': randomUUID() };
  const reply = (messageId: number | undefined, userId = owner) =>
    bed.call('messages', 'POST', '/api/replies', {
      body: { messageId, content: 'شكرًا' },
      headers,
      identity: { userId },
    });
  expect((await reply(messageIds[0])).status).toBe(201);
  expect(await reply(messageIds[1])).toMatchObject({ status: 409, body: { code: 'idempotency_conflict' } });
  expect(
    (await bed.call('messages', 'GET', `/api/replies/${messageIds[1] ?? 0}`, { identity: { userId: owner } })).body,
  ).toBeNull();
  await sweep(replica, new Date(Date.now() + 25 * 60 * 60 * 1000));
  expect((await reply(messageIds[1])).status).toBe(201);
});
