// Long run: retries against parts that fail.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { readSample, sharedBed, type Answer, type Bed, type CallerIdentity } from '@najwa/testing';
import type { MessagesContext } from '../../src/context.js';
import { sweepRetries } from '../../src/sending/retries.js';
import { messageOf } from '../support/answers.js';
import { openReplica } from '../support/replica.js';
import { photograph, sendVoice } from '../support/submissions.js';

const HOUR_MS = 60 * 60 * 1000;

let bed: Bed;
/** A second replica without an open port. */
let replica: MessagesContext;
let sender: number;
let owner: number;
let recording: Buffer;
let picture: string;

const newAccount = async (): Promise<number> => (await bed.newAccount()).id;

beforeAll(async () => {
  bed = await sharedBed();
  replica = await openReplica(bed);
  [recording, picture, sender] = await Promise.all([readSample('speech-0.3s.webm'), photograph(), newAccount()]);
});

beforeEach(async () => {
  owner = await newAccount();
});

afterAll(async () => {
  replica.auth.close();
  replica.media.close();
  await replica.database.close();
});

const KINDS = ['text', 'picture', 'voice message'] as const;
type Kind = (typeof KINDS)[number];

test('a message that waited is sent under the account that wrote it only', async () => {
  const [writer, other] = [await newAccount(), await newAccount()];
  const send = (identity: CallerIdentity, account: string) =>
    bed.call('messages', 'POST', '/api/messages', {
      headers: { 'idempotency-key': randomUUID(), 'sender-account': account },
      identity,
      body: { userId: owner, content: 'waited' },
    });
  const refused = { status: 409, body: { code: 'sender_changed' } };
  expect(await send({ userId: other }, String(writer))).toMatchObject(refused);
  expect(await send({}, String(writer))).toMatchObject(refused);
  expect(await send({ userId: writer }, 'none')).toMatchObject(refused);
  expect(await send({ userId: writer }, 'me')).toMatchObject({ status: 422, body: { code: 'invalid_input' } });
  expect(await send({ userId: writer }, String(writer))).toMatchObject({ status: 201 });
  expect(await send({}, 'none')).toMatchObject({ status: 201 });
});

/** A submission that can be sent repeatedly with the same key. */
function newSubmission(kind: Kind, identity: CallerIdentity = {}): () => Promise<Answer> {
  const headers = { 'idempotency-key': randomUUID() };
  const userId = owner;
  if (kind === 'voice message') return () => sendVoice(bed, userId, { headers, identity, audio: recording });
  const body = { userId, content: 'مرة واحدة', ...(kind === 'picture' && { imageUrl: picture }) };
  return () => bed.call('messages', 'POST', '/api/messages', { headers, identity, body });
}

const asOwner = () => ({ identity: { userId: owner } });

const idOf = ({ body }: Answer): number => (body as { id: number }).id;

async function succeeds(call: Promise<Answer>): Promise<Answer> {
  const answer = await call;
  expect(answer.status).toBeLessThan(300);
  return answer;
}

const remove = (id: number) => succeeds(bed.call('messages', 'DELETE', `/api/messages/${id}`, asOwner()));
const remains = (id: number) => replica.messages.collection.findOne({ id });
const tombstoneOf = (id: number) => bed.eventually(async () => expect(await remains(id)).not.toHaveProperty('outbox'));

/** Everything that can happen to a message after it was sent. */
const EVENTS: Record<string, (id: number) => Promise<unknown>> = {
  read: (id) =>
    succeeds(bed.call('messages', 'PATCH', `/api/messages/${id}`, { ...asOwner(), body: { isRead: true } })),
  published: (id) =>
    succeeds(bed.call('messages', 'PATCH', `/api/messages/${id}`, { ...asOwner(), body: { isPublic: true } })),
  pinned: async (id) => {
    await EVENTS['published']?.(id);
    await succeeds(bed.call('messages', 'PUT', '/api/messages/pinned', { ...asOwner(), body: { ids: [id] } }));
  },
  'replied to': (id) =>
    succeeds(bed.call('messages', 'POST', '/api/replies', { ...asOwner(), body: { messageId: id, content: 'شكرًا' } })),
  deleted: remove,
  'deleted some time ago': async (id) => {
    await remove(id);
    await tombstoneOf(id);
  },
};

describe.each(KINDS)('a retry of a %s', (kind) => {
  // Files matter only to what removes them.
  const events = Object.entries(EVENTS).filter(([name]) => kind === 'text' || name.startsWith('deleted'));

  test.each(events)('a retry gets the first answer after the message was %s', async (_name, happen) => {
    for (const identity of [{ visitorId: randomUUID() }, { userId: sender }]) {
      const send = newSubmission(kind, identity);
      const first = await succeeds(send());
      await happen(idOf(first));
      const again = await send();
      expect([again.status, again.body]).toEqual([201, messageOf(first)]);
    }
  });

  // Threat model: gateway-11.
  test('a retry does not restore a deleted message', async () => {
    const author = await newAccount();
    const send = newSubmission(kind, { userId: author });
    const id = idOf(await succeeds(send()));
    await remove(id);
    await send();
    await tombstoneOf(id);
    await send();
    for (const [userId, path] of [
      [owner, '/api/messages'],
      [author, '/api/messages/sent'],
    ] as const)
      expect((await bed.call('messages', 'GET', path, { identity: { userId } })).body).toEqual([]);
    expect((await bed.call('messages', 'GET', '/api/messages/stats', asOwner())).body).toMatchObject({ received: 0 });
  });
});

test('a tombstone has neither text nor sender and is removed after a day', async () => {
  const send = newSubmission('text', { userId: sender });
  const id = idOf(await succeeds(send()));
  await EVENTS['replied to']?.(id);
  await remove(id);
  await tombstoneOf(id);
  expect(await remains(id)).toMatchObject({ content: '', senderUserId: null, reply: null });
  expect(JSON.stringify(await remains(id))).not.toMatch(/مرة واحدة|شكرًا/);
  await sweepRetries(replica, new Date(Date.now() + 23 * HOUR_MS));
  expect(await remains(id)).not.toBeNull();
  await sweepRetries(replica, new Date(Date.now() + 25 * HOUR_MS));
  expect(await remains(id)).toBeNull();
});

test('a retried picture is stored again once its message and key are forgotten', async () => {
  const send = newSubmission('picture', { userId: sender });
  const see = ({ body }: Answer) =>
    bed.call('media', 'GET', `/api${(body as { imageUrl: string }).imageUrl}`, asOwner()).then(({ status }) => status);
  const first = await succeeds(send());
  expect(await see(first)).toBe(200);
  await remove(idOf(first));
  await tombstoneOf(idOf(first));
  await bed.eventually(async () => expect(await see(first)).toBe(404));
  await sweepRetries(replica, new Date(Date.now() + 25 * HOUR_MS));
  const later = await succeeds(send());
  expect(idOf(later)).not.toBe(idOf(first));
  expect(await see(later)).toBe(200);
});

describe('a retry of a reply', () => {
  const reply = (messageId: number, content: string, headers: Record<string, string> = {}) =>
    bed.call('messages', 'POST', '/api/replies', { ...asOwner(), body: { messageId, content }, headers });
  const replyTo = async (messageId: number) =>
    (await bed.call('messages', 'GET', `/api/replies/${messageId}`, asOwner())).body;

  test('a reply key is refused for another message until it expires', async () => {
    const [one, other] = [idOf(await newSubmission('text')()), idOf(await newSubmission('text')())];
    const headers = { 'idempotency-key': randomUUID() };
    expect((await reply(one, 'شكرًا', headers)).status).toBe(201);
    expect(await reply(other, 'شكرًا', headers)).toMatchObject({ status: 409, body: { code: 'idempotency_conflict' } });
    expect(await replyTo(other)).toBeNull();
    await sweepRetries(replica, new Date(Date.now() + 25 * HOUR_MS));
    expect((await reply(other, 'شكرًا', headers)).status).toBe(201);
  });
});
