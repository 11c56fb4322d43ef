// Long run: a deletion whose parts crash.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { namesFor, RETRY_DELAYS_MS, SUBSCRIPTIONS, type Subscriber } from '@najwa/common/amqp';
import {
  eventually,
  PASSWORD,
  PIXEL,
  startTestSystem,
  trackedIdsOf,
  type RequestOptions,
  type TestAccount,
  type TestSystem,
} from '@najwa/testing';
import { connect } from 'amqplib';
import { Client } from 'minio';
import type { Connection } from 'mongoose';

/** An id that no other number contains. */
const OWNER_ID = 88_088_088;
const PERSON = { username: 'telltale-owner', name: 'Telltale Person', bio: 'telltale bio' };
const TEXTS = { received: 'telltale received', reply: 'telltale reply', sent: 'kept by the friend' };

/** Traces of the account, none of which may remain. */
const TRACES = [String(OWNER_ID), 'elltale'];

/** Slow enough to be killed in the middle. */
const MANY = 1_500;

const DATABASES = ['auth', 'messages', 'media', 'tracking', 'chatbot', 'admin'] as const;

let system: TestSystem;
let owner: TestAccount;
let friend: TestAccount;
const databases = {} as Record<(typeof DATABASES)[number], Connection>;

beforeAll(async () => {
  system = await startTestSystem();
  for (const name of DATABASES) databases[name] = await system.openDatabase(name);
  friend = await system.newAccount();
  await databases.auth
    .collection<{ _id: string; value: number }>('counters')
    .updateOne({ _id: 'users' }, { $set: { value: OWNER_ID - 1 } });
  owner = await system.newAccount(PERSON);
  expect(owner.id).toBe(OWNER_ID);
});

afterAll(async () => {
  for (const database of Object.values(databases)) await database.close();
  await system.stop();
});

async function succeed(method: string, path: string, options: RequestOptions = {}): Promise<unknown> {
  const { status, body } = await system.request(method, path, options);
  if (status >= 300) throw new Error(`${method} ${path} failed with status ${status}.`);
  return body;
}

const byOwner = (method: string, path: string, body?: unknown): Promise<unknown> =>
  succeed(method, path, { cookie: owner.cookie, ...(body !== undefined && { body }) });

/** @returns the text of the file */
async function gatherExport(): Promise<unknown> {
  const { id } = (await byOwner('POST', '/api/exports')) as { id: number };
  await eventually(async () => expect(await byOwner('GET', `/api/exports/${id}`)).toMatchObject({ status: 'ready' }));
  return byOwner('GET', `/api/exports/${id}/file`);
}

/** Leaves data of the account in every store. @returns ids of messages */
async function live(): Promise<{ bySenders: number[]; toFriend: number; reportedAtFriend: number }> {
  await byOwner('PATCH', '/api/users', { avatar: PIXEL, email: 'telltale@mail.example' });
  await byOwner('POST', '/api/recovery-codes', { password: PASSWORD });
  await succeed('POST', '/api/login', { body: { username: owner.username, password: PASSWORD } });
  const given = { content: TEXTS.received, imageUrl: PIXEL };
  const fromVisitor = await system.sendMessage(owner.id, given);
  const fromFriend = await system.sendMessage(owner.id, { ...given, content: 'written by the friend' }, friend);
  const reported = await system.sendMessage(owner.id, { ...given, content: 'evidence' });
  await byOwner('POST', '/api/replies', { messageId: fromFriend.id, content: TEXTS.reply });
  await byOwner('PATCH', `/api/messages/${fromFriend.id}`, { isPublic: true });
  await byOwner('POST', '/api/reports', { messageId: reported.id, reason: 'threat', comment: 'telltale comment' });
  await byOwner('POST', '/api/blocks', { messageId: fromVisitor.id });
  await byOwner('PUT', '/api/filters', { words: ['telltale'], lists: [] });
  await system.sendMessage(owner.id, given);
  const toFriend = await system.sendMessage(friend.id, { content: TEXTS.sent, imageUrl: PIXEL }, owner);
  const reportedAtFriend = await system.sendMessage(friend.id, { content: 'threat to the friend' }, owner);
  await succeed('POST', '/api/reports', {
    cookie: friend.cookie,
    body: { messageId: reportedAtFriend.id, reason: 'threat' },
  });
  const form = new FormData();
  form.set('image', new Blob([Buffer.from(PIXEL.split(',')[1] ?? '', 'base64')], { type: 'image/png' }), 'a.png');
  const upload = await fetch(`${system.url}/api/chat/upload`, {
    method: 'POST',
    headers: { origin: system.url, cookie: owner.cookie },
    body: form,
  });
  const { imageUrl } = (await upload.json()) as { imageUrl: string };
  await gatherExport();
  await byOwner('POST', '/api/chat', { message: 'telltale question', imageUrl });
  return {
    bySenders: [fromVisitor.id, fromFriend.id, reported.id],
    toFriend: toFriend.id,
    reportedAtFriend: reportedAtFriend.id,
  };
}

async function fillInbox(id: number): Promise<void> {
  const messages = databases.messages.collection('messages');
  const template = await messages.findOne({ id });
  const counter = await databases.messages
    .collection<{ _id: string; value: number }>('counters')
    .findOneAndUpdate({ _id: 'messages' }, { $inc: { value: MANY } }, { returnDocument: 'before' });
  await messages.insertMany(
    Array.from({ length: MANY }, (_, index) => ({
      ...template,
      _id: undefined as never,
      id: (counter?.value ?? 0) + 1 + index,
      imageName: null,
      outbox: [],
      wayBack: randomUUID(),
      submission: { key: randomUUID(), content: '' },
    })).map(({ _id, ...document }) => document),
  );
}

/** Documents with a trace, except permitted ones. */
async function findTraces(): Promise<string[]> {
  const found: string[] = [];
  for (const service of DATABASES) {
    for (const { collectionName } of (await databases[service].db?.collections()) ?? []) {
      // The number of accounts ever made.
      if (collectionName === 'counters') continue;
      for (const document of await databases[service].collection(collectionName).find().toArray()) {
        const text = JSON.stringify(document);
        for (const trace of TRACES.filter((candidate) => text.includes(candidate)))
          found.push(`${trace} in ${service}.${collectionName}`);
      }
    }
  }
  return found;
}

async function countQueued(): Promise<number> {
  const { AMQP_URL = '' } = system.infrastructure.env;
  const names = namesFor(system.databaseOf('auth').replace(/_auth$/, ''));
  const model = await connect(AMQP_URL);
  const channel = await model.createChannel();
  let messages = 0;
  for (const subscriber of Object.keys(SUBSCRIPTIONS) as Subscriber[]) {
    const queues = [names.queue(subscriber), names.parkedQueue(subscriber)];
    for (const queue of [...queues, ...RETRY_DELAYS_MS.map((delay) => names.retryQueue(subscriber, delay))])
      messages += (await channel.checkQueue(queue)).messageCount;
  }
  await model.close();
  return messages;
}

async function storedObjects(): Promise<string[]> {
  const { S3_ENDPOINT = '', S3_ACCESS_KEY = '', S3_SECRET_KEY = '' } = system.infrastructure.env;
  const { hostname, port } = new URL(S3_ENDPOINT);
  const store = new Client({
    endPoint: hostname,
    port: Number(port),
    useSSL: false,
    accessKey: S3_ACCESS_KEY,
    secretKey: S3_SECRET_KEY,
  });
  const bucket = system.databaseOf('auth').replace(/_auth$/, '');
  const names = new Set<string>();
  for await (const { name } of store.listObjectsV2(bucket, '', true) as AsyncIterable<{ name: string }>)
    names.add(name.replace(/\..*/, ''));
  return [...names];
}

const statusOf = async (path: string, cookie?: string): Promise<number> =>
  (await system.request('GET', path, cookie === undefined ? {} : { cookie })).status;

test('an account closes at once, can come back for a week, and is then gone from every store despite crashes', async () => {
  const { bySenders, toFriend, reportedAtFriend } = await live();
  await eventually(async () => expect(await trackedIdsOf(system, owner.id)).toHaveLength(4));
  const [published = 0] = bySenders.slice(1);
  expect([await statusOf(`/m/${owner.username}`), await statusOf(`/api/messages/${published}`)]).toEqual([200, 200]);

  const deletion = { body: { password: PASSWORD }, cookie: owner.cookie };
  expect((await system.request('POST', '/api/account/deletion', deletion)).status).toBe(202);
  const within = (check: () => Promise<void>): Promise<void> => eventually(check, 10_000);
  await within(async () =>
    expect([
      await statusOf(`/m/${owner.username}`),
      await statusOf(`/api/users/${owner.username}`),
      await statusOf(`/api/messages/${published}`),
      (await system.request('GET', `/api/messages/public/${owner.id}`)).body,
    ]).toEqual([404, 404, 404, []]),
  );
  const refused = await system.request('POST', '/api/messages', { body: { userId: owner.id, content: 'سلام' } });
  expect(refused).toMatchObject({ status: 404, body: { code: 'user_not_found' } });
  const blocked = await system.request('GET', '/api/messages', { cookie: owner.cookie });
  expect(blocked).toMatchObject({ status: 403, body: { code: 'account_leaving' } });
  // The account can still be exported.
  expect(await gatherExport()).toContain(TEXTS.received);
  expect(await storedObjects()).toContainEqual(expect.stringMatching(/^temporary\//));
  expect(await byOwner('GET', '/api/user')).toMatchObject({ deletesAt: expect.stringContaining('T') as unknown });

  await byOwner('DELETE', '/api/account/deletion');
  await within(async () =>
    expect([
      await statusOf(`/m/${owner.username}`),
      await statusOf('/api/messages', owner.cookie),
      await statusOf(`/api/messages/${published}`),
    ]).toEqual([200, 200, 200]),
  );

  await system.request('POST', '/api/account/deletion', deletion);
  await fillInbox(bySenders[0] ?? 0);
  const users = databases.auth.collection('users');
  await system.kill('media');
  await users.updateOne({ id: owner.id }, { $set: { deletesAt: new Date(0) } });
  // Its first sweep begins the deletion.
  await system.kill('auth');
  await system.restart('auth');
  const left = (): Promise<number> =>
    databases.messages.collection('messages').countDocuments({ userId: owner.id, deletedAt: null });
  await eventually(async () => expect(await left()).toBeLessThan(MANY), 60_000);
  await system.kill('messages');
  expect(await left()).toBeGreaterThan(0);
  await system.restart('messages');
  await eventually(async () => {
    const waiting = (await users.findOne({ id: owner.id }))?.['erasure'] as { waiting: string[] } | undefined;
    // The assistant cannot remove its pictures without media.
    expect(waiting?.waiting).toEqual(['media', 'chatbot']);
  }, 90_000);
  expect(await findTraces()).toContain(`${OWNER_ID} in auth.users`);
  await system.restart('media');
  await eventually(async () => expect(await users.findOne({ id: owner.id })).toBeNull(), 60_000);
  await eventually(async () => expect([await findTraces(), await countQueued()]).toEqual([[], 0]), 60_000);

  const sentByFriend = (await succeed('GET', '/api/messages/sent', { cookie: friend.cookie })) as object[];
  expect(sentByFriend).toEqual([
    expect.objectContaining({ content: 'written by the friend', reply: null, recipient: null, isPublic: false }),
  ]);
  const inbox = (await succeed('GET', '/api/messages', { cookie: friend.cookie })) as { id: number; content: string }[];
  expect(inbox.map(({ id }) => id)).toEqual([reportedAtFriend, toFriend]);
  expect(inbox[1]?.content).toBe(TEXTS.sent);
  // Leaving does not escape a report: its trace stays as long as any.
  expect(await trackedIdsOf(system, friend.id)).toEqual([reportedAtFriend]);
  // The friend's own picture, a received one, and the evidence of the report.
  await eventually(async () => expect(await storedObjects()).toHaveLength(3));
  expect(
    await system.request('POST', '/api/login', { body: { username: PERSON.username, password: PASSWORD } }),
  ).toMatchObject({ status: 401, body: { code: 'wrong_credentials' } });
});
