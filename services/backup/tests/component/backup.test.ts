// Long run: a backup of all stores.
import { randomUUID } from 'node:crypto';
import { appendFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connectStores, loadConfig, runBackup, runRestore, type Manifest, type Stores } from '@najwa/backup';
import { createEvent, EventBus } from '@najwa/common/amqp';
import { createLogger } from '@najwa/common/logging';
import { Metrics } from '@najwa/common/metrics';
import type { Event } from '@najwa/proto/events';
import { dataUrl, readSample, startReplica, startTestBed, type BedAccount, type TestBed } from '@najwa/testing';

const SERVICES = ['media', 'auth', 'tracking', 'messages'] as const;

let bed: TestBed;
let folder: string;
let output: string[];
const opened: Stores[] = [];

/** The stores and the broker of the bed, or of an empty system with other names. */
const environmentOf = (prefix: string) => ({
  ...bed.environment,
  MONGO_PREFIX: prefix,
  S3_BUCKET: prefix,
  AMQP_PREFIX: prefix,
});

async function storesOf(prefix: string): Promise<Stores> {
  const stores = await connectStores(loadConfig(environmentOf(prefix)));
  opened.push(stores);
  return stores;
}

const commandOf = (prefix: string, args: string[]) => ({
  environment: environmentOf(prefix),
  args,
  writeLine: (line: string) => void output.push(line),
  writeError: (line: string) => void output.push(line),
});

/** Every document, byte by byte, and every object with its type. */
async function contentOf({ databaseOf, files, bucket }: Stores) {
  const documents: Record<string, string[]> = {};
  for (const service of SERVICES)
    for (const { name } of await databaseOf(service).listCollections({}, { nameOnly: true }).toArray()) {
      if (['rate_limits', 'export_jobs', 'archives', 'counters', 'message_counts', 'restores'].includes(name)) continue;
      const found = await databaseOf(service)
        .collection(name)
        .find({}, { raw: true, sort: { _id: 1 } })
        .toArray();
      documents[`${service}.${name}`] = found.map((bytes) => (bytes as unknown as Buffer).toString('base64'));
    }
  const objects: Record<string, [type: string, bytes: string]> = {};
  if (!(await files.bucketExists(bucket))) return { documents, objects };
  for await (const { name } of files.listObjectsV2(bucket, '', true) as AsyncIterable<{ name: string }>) {
    const { metaData } = await files.statObject(bucket, name);
    const bytes = await buffer(await files.getObject(bucket, name));
    objects[name] = [String(metaData['content-type']), bytes.toString('base64')];
  }
  return { documents, objects };
}

/** The counts of messages, which a restore computes. */
const countsOf = async ({ databaseOf }: Stores) =>
  (
    await databaseOf('messages')
      .collection('message_counts')
      .find({}, { sort: { _id: 1 } })
      .toArray()
  ).map(({ _id, received, read, public: published, sent, receivedIds }) =>
    JSON.stringify([_id, received, read, published, sent, receivedIds]),
  );

const ledgerOf = (stores: Stores, service: string) => stores.databaseOf(`${service}_ledger`).collection('deletions');

/** A ledger is apart from the data, so a restored system finds that of the lost one. */
async function bringLedgers(from: Stores, to: Stores): Promise<void> {
  for (const service of ['auth', 'messages']) {
    const entries = await ledgerOf(from, service).find().toArray();
    if (entries.length > 0) await ledgerOf(to, service).insertMany(entries);
  }
}

/** Services on restored stores, with the keys of the lost system. */
function startRestored(copy: string): Promise<TestBed> {
  const keys = ['ACCOUNT_KEYS', 'SENDER_KEYS', 'MODERATION_KEYS', 'PUSH_KEYS'];
  const env = Object.fromEntries(keys.map((name) => [name, String(bed.environment[name])]));
  return startTestBed({ services: [...SERVICES], run: copy, env: { ...env, RATE_LIMIT_SCALE: '0' } });
}

async function remove({ databaseOf, files, bucket, close }: Stores): Promise<void> {
  for (const service of SERVICES) await databaseOf(service).dropDatabase();
  if (await files.bucketExists(bucket)) {
    for await (const { name } of files.listObjectsV2(bucket, '', true) as AsyncIterable<{ name: string }>)
      await files.removeObject(bucket, name);
    await files.removeBucket(bucket);
  }
  await close();
}

beforeAll(async () => {
  bed = await startTestBed({ services: [...SERVICES], env: { RATE_LIMIT_SCALE: '0' } });
  folder = await mkdtemp(path.join(tmpdir(), 'najwa-backup-'));
  output = [];
  const owner = await bed.newAccount();
  const picture = await readSample('photo.png');
  for (let index = 0; index < 20; index += 1) await bed.sendMessage(owner.id, { content: `رسالة ${index}` });
  await bed.sendMessage(owner.id, {
    content: 'with a picture',
    imageUrl: dataUrl(picture, 'image/png'),
  });
  await bed.eventually(async () => expect(await bed.listTracking({ limit: 100 })).toHaveLength(21));
  const { databaseOf } = await storesOf(String(bed.environment['AMQP_PREFIX']));
  await bed.eventually(async () => {
    for (const [service, name] of [
      ['messages', 'messages'],
      ['auth', 'users'],
    ] as const)
      expect(
        await databaseOf(service)
          .collection(name)
          .countDocuments({ 'outbox.0': { $exists: true } }),
      ).toBe(0);
  });
});

afterAll(async () => {
  await bed.stop();
  for (const stores of opened.splice(0)) await remove(stores);
  await rm(folder, { recursive: true, force: true });
});

// Threat model: backup-1.
test('a backup restored into an empty system has the same documents and files', async () => {
  const run = String(bed.environment['AMQP_PREFIX']);
  const copy = `restored-${randomUUID().slice(0, 8)}`;
  const target = path.join(folder, 'full');
  expect(await runBackup(commandOf(run, [target]))).toBe(0);
  expect(await runRestore(commandOf(copy, [target]))).toBe(0);

  const [data, copied] = [await storesOf(run), await storesOf(copy)];
  const [original, restored] = [await contentOf(data), await contentOf(copied)];
  expect(await countsOf(copied)).toEqual(await countsOf(data));
  expect(original.documents['messages.messages']).toHaveLength(21);
  expect(Object.keys(original.objects).length).toBeGreaterThan(0);
  expect(restored).toEqual(original);

  const files = await readdir(target, { recursive: true, withFileTypes: true });
  for (const file of files) expect((await stat(path.join(file.parentPath, file.name))).mode & 0o077).toBe(0);

  expect(await runRestore(commandOf(copy, [target]))).toBe(1);
  expect(output.at(-1)).toMatch(/is not empty/);
  expect(await runBackup(commandOf(run, [target]))).toBe(1);
  expect(output.at(-1)).toMatch(/is not empty/);
});

// Threat model: backup-2.
test('a damaged or unfinished backup is refused before anything is written', async () => {
  const run = String(bed.environment['AMQP_PREFIX']);
  const copy = `restored-${randomUUID().slice(0, 8)}`;
  const target = path.join(folder, 'damaged');
  expect(await runBackup(commandOf(run, [target]))).toBe(0);
  await appendFile(path.join(target, 'databases', 'messages', 'messages.bson.gz'), 'x');
  expect(await runRestore(commandOf(copy, [target]))).toBe(1);
  expect(output.at(-1)).toMatch(/is damaged/);
  await rm(path.join(target, 'manifest.json'));
  expect(await runRestore(commandOf(copy, [target]))).toBe(1);
  expect(output.at(-1)).toMatch(/no finished backup/);
  expect((await contentOf(await storesOf(copy))).documents).toEqual({});
});

test('a document recreated under its unique key during the backup is restored once', async () => {
  const run = String(bed.environment['AMQP_PREFIX']);
  const copy = `restored-${randomUUID().slice(0, 8)}`;
  const target = path.join(folder, 'twice');
  const { databaseOf } = await storesOf(run);
  // The state that the copy reaches: the unique index holds at each moment, but the copy is of several.
  const twice = databaseOf('tracking').collection('created_again');
  await twice.insertMany([{ key: 'one' }, { key: 'one' }, { key: 'other' }]);
  expect(await runBackup(commandOf(run, [target]))).toBe(0);
  await twice.drop();
  const file = path.join(target, 'manifest.json');
  const manifest = JSON.parse(await readFile(file, 'utf8')) as Manifest;
  const index = { key: { key: 1 }, name: 'key', unique: true };
  for (const { collection, indexes } of manifest.collections) if (collection === 'created_again') indexes.push(index);
  await writeFile(file, JSON.stringify(manifest));

  output = [];
  expect(await runRestore(commandOf(copy, [target]))).toBe(0);
  expect(output).toContain('tracking  created_again  2 documents');
  const restored = (await storesOf(copy)).databaseOf('tracking').collection('created_again');
  expect((await restored.find().toArray()).map(({ key }) => key as string).sort()).toEqual(['one', 'other']);
});

/** Publishes events into the queues of a system that does not run. */
async function leaveInBroker(prefix: string, events: Event[]): Promise<void> {
  const url = String(bed.environment['AMQP_URL']);
  const logger = createLogger({ service: 'test', level: 'silent' });
  const bus = new EventBus({ url, prefix, service: 'test', logger, metrics: new Metrics('test') });
  await bus.start();
  await bed.eventually(() => bus.publish(events));
  await bus.stop();
}

// Threat model: backup-4.
test('a restore repeats later deletions, reuses no id and attaches no trace to another message', async () => {
  const run = String(bed.environment['AMQP_PREFIX']);
  const copy = `restored-${randomUUID().slice(0, 8)}`;
  const target = path.join(folder, 'ledger');
  const [owner, leaver] = [await bed.newAccount(), await bed.newAccount()];
  const send = (on: TestBed, content: string, ip: string, to = owner) =>
    on.sendMessage(to.id, { content }, { identity: { ip } });
  const [kept, removed, published] = [
    await send(bed, 'kept', '192.0.2.10'),
    await send(bed, 'removed', '192.0.2.11'),
    await send(bed, 'published', '192.0.2.12'),
  ];
  const change = (on: TestBed, { id }: { id: number }, isPublic: boolean) =>
    on.call('messages', 'PATCH', `/api/messages/${id}`, { identity: owner.identity, body: { isPublic } });
  await change(bed, published, true);
  const tracked = async (on: TestBed) =>
    new Map((await on.listTracking({ limit: 100 })).map(({ messageId, ...record }) => [messageId, record]));
  // A suspension that was taken back held both, which are delivered hours later.
  const [waiting, delivered] = [
    await send(bed, 'waiting', '192.0.2.14'),
    await send(bed, 'delivered and deleted', '192.0.2.15'),
  ];
  const [data, restored] = [await storesOf(run), await storesOf(copy)];
  const messagesIn = (stores: Stores) => stores.databaseOf('messages').collection('messages');
  const deliverAt = (stores: Stores, id: number, time: Date) =>
    messagesIn(stores).updateOne(
      { id },
      {
        $set: {
          userId: -owner.id,
          aside: { reason: 'held', matched: null, at: new Date(), actionId: 1, deliverAt: time },
        },
      },
    );
  const inbox = async (on: TestBed) =>
    (await on.call('messages', 'GET', '/api/messages?limit=100', { identity: owner.identity })).body as {
      id: number;
      content: string;
      isPublic: boolean;
    }[];
  await bed.eventually(async () => {
    const records = await tracked(bed);
    expect(records.get(published.id)?.message?.isPublic).toBe(true);
    expect(records.has(delivered.id)).toBe(true);
    expect(await messagesIn(data).countDocuments({ 'outbox.0': { $exists: true } })).toBe(0);
  });
  const later = new Date(Date.now() + 60 * 60_000);
  for (const { id } of [waiting, delivered]) await deliverAt(data, id, later);
  const counts = data.databaseOf('messages').collection<{ _id: number }>('message_counts');
  await counts.updateOne({ _id: owner.id }, { $set: { received: 1, sent: 7 } });

  expect(await runBackup(commandOf(run, [target]))).toBe(0);

  await bed.call('messages', 'DELETE', `/api/messages/${removed.id}`, { identity: owner.identity });
  await change(bed, published, false);
  const { password } = leaver;
  await bed.call('auth', 'POST', '/api/account/deletion', { identity: leaver.identity, body: { password } });
  const lost = await send(bed, 'lost', '192.0.2.13');
  const lostAccount = await bed.newAccount();
  await deliverAt(data, delivered.id, new Date());
  // The first thing that it does is to sweep.
  await (await startReplica(bed, 'messages')).stop();
  const [arrived] = await inbox(bed);
  expect(arrived).toMatchObject({ content: 'delivered and deleted' });
  expect(arrived?.id).toBeGreaterThan(lost.id);
  await bed.call('messages', 'DELETE', `/api/messages/${arrived?.id}`, { identity: owner.identity });
  await bed.eventually(async () => expect(await ledgerOf(data, 'messages').countDocuments()).toBe(3));
  await bed.eventually(async () => expect(await ledgerOf(data, 'auth').countDocuments()).toBe(1));
  await bringLedgers(data, restored);
  for (const { _id, at, sealed, ...more } of await ledgerOf(data, 'messages').find().toArray()) {
    expect([typeof _id, at, more]).toEqual(['string', expect.any(Date), {}]);
    expect(Buffer.from(String(sealed), 'base64url').toString()).not.toMatch(/message|publication|sentId/);
  }

  const deletionOf = ({ id: userId }: { id: number }) =>
    createEvent(randomUUID(), { $case: 'accountDeleted', value: { userId, avatarName: '' } });
  await leaveInBroker(copy, [deletionOf(lostAccount)]);
  output = [];
  expect(await runRestore(commandOf(copy, [target]))).toBe(1);
  expect(output.at(-1)).toMatch(/events wait in the broker/);
  expect(await runRestore(commandOf(copy, [target, '--empty-broker']))).toBe(0);
  expect(output.join('\n')).toMatch(/4 deletions since the backup are in the ledger/);

  await deliverAt(restored, waiting.id, new Date());
  const second = await startRestored(copy);
  try {
    await second.eventually(async () =>
      expect(await inbox(second)).toEqual([
        expect.objectContaining({ content: 'waiting' }),
        expect.objectContaining({ id: published.id, isPublic: false }),
        expect.objectContaining({ id: kept.id }),
      ]),
    );
    // The counts are recounted from the messages, not copied.
    expect(
      (await second.call('messages', 'GET', '/api/messages/stats', { identity: owner.identity })).body,
    ).toMatchObject({
      received: 3,
      sent: 0,
    });
    const [comes] = await inbox(second);
    expect(comes?.id).toBeGreaterThan(Number(arrived?.id) + 100_000);
    const page = await second.call('messages', 'GET', `/api/messages/public/${owner.id}`);
    expect(page.body).toEqual([]);
    expect((await second.call('auth', 'GET', `/api/users/${leaver.username}`)).status).toBe(404);

    const newAccount = await second.newAccount();
    const next = await send(second, 'next', '192.0.2.20');
    expect(newAccount.id).toBeGreaterThan(lostAccount.id);
    expect(next.id).toBeGreaterThan(lost.id + 100_000);
    await second.eventually(async () => {
      const records = await tracked(second);
      expect(records.get(next.id)).toMatchObject({ ipAddress: '192.0.2.20', message: { content: 'next' } });
      expect(records.get(kept.id)).toMatchObject({ ipAddress: '192.0.2.10', message: { content: 'kept' } });
      expect(records.get(published.id)).toMatchObject({ ipAddress: '192.0.2.12', message: { isPublic: false } });
      expect(records.get(waiting.id)).toMatchObject({ ipAddress: '192.0.2.14', message: { content: 'waiting' } });
      for (const id of [removed.id, delivered.id, comes?.id ?? 0]) expect(records.has(id)).toBe(false);
    });

    // As from a broker that was not emptied, of an account that had the same id.
    const before = { ...deletionOf(newAccount), occurredAt: new Date(Date.now() - 60_000) };
    const first = await send(second, 'first', '192.0.2.21', newAccount);
    await second.publish([before]);
    const last = await send(second, 'last', '192.0.2.22', newAccount);
    const { identity } = newAccount;
    await second.eventually(async () => {
      expect((await second.call('messages', 'GET', '/api/notifications', { identity })).body).toHaveLength(2);
      expect((await tracked(second)).has(last.id)).toBe(true);
    });
    expect((await second.call('messages', 'GET', '/api/messages', { identity })).body).toHaveLength(2);
    expect((await tracked(second)).get(first.id)).toMatchObject({ ipAddress: '192.0.2.21' });
  } finally {
    await second.stop();
  }
});

// Threat model: backup-6.
test('a restore undoes no block, pause, hidden presence, end of a conversation, or recovery code that was used', async () => {
  const run = String(bed.environment['AMQP_PREFIX']);
  const copy = `restored-${randomUUID().slice(0, 8)}`;
  const target = path.join(folder, 'protection');
  const [owner, sleeper] = [await bed.newAccount(), await bed.newAccount()];
  const newVisitor = () => ({ identity: { visitorId: randomUUID(), ip: '192.0.2.30' } });
  const [early, late, forgiven] = [newVisitor(), newVisitor(), newVisitor()];
  const as = (
    on: TestBed,
    { identity }: typeof owner,
    service: 'auth' | 'messages',
    method: string,
    where: string,
  ) => ({
    with: (body?: unknown) => on.call(service, method, where, { identity, ...(body !== undefined && { body }) }),
  });
  const block = async ({ id: messageId }: { id: number }) =>
    (await as(bed, owner, 'messages', 'POST', '/api/blocks').with({ messageId })).body as { id: number };
  const messages = {
    early: await bed.sendMessage(owner.id, {}, early),
    forgiven: await bed.sendMessage(owner.id, {}, forgiven),
    ended: await bed.sendMessage(owner.id, {}, newVisitor()),
    left: await bed.sendMessage(owner.id, {}, newVisitor()),
  };
  const wayBackOf = ({ wayBack = '' }: { wayBack?: string }) => `/api/ways-back/${wayBack.slice('/r/'.length)}`;
  for (const { id: messageId } of [messages.ended, messages.left])
    await as(bed, owner, 'messages', 'POST', '/api/replies').with({ messageId, content: 'an answer' });
  const earlier = await block(messages.forgiven);
  const codes = as(bed, owner, 'auth', 'POST', '/api/recovery-codes');
  const { codes: made } = (await codes.with({ password: owner.password })).body as { codes: string[] };
  const receiving = { from: 'everyone', presence: 'coarse' };
  expect((await as(bed, sleeper, 'messages', 'PATCH', '/api/users/receiving').with(receiving)).status).toBe(200);

  expect(await runBackup(commandOf(run, [target]))).toBe(0);

  await as(bed, owner, 'messages', 'POST', `/api/messages/${messages.ended.id}/end`).with();
  const left = await bed.call('messages', 'DELETE', `${wayBackOf(messages.left)}/conversation`, newVisitor());
  expect(left.status).toBe(204);
  await block(messages.early);
  await block(await bed.sendMessage(owner.id, {}, late));
  expect((await as(bed, owner, 'messages', 'DELETE', `/api/blocks/${earlier.id}`).with()).status).toBe(204);
  const pause = { from: 'nobody', presence: 'hidden' };
  expect((await as(bed, sleeper, 'messages', 'PATCH', '/api/users/receiving').with(pause)).status).toBe(200);
  const reset = (on: TestBed, code = '') =>
    on.call('auth', 'POST', '/api/password-resets', {
      body: { username: owner.username, code, password: 'another horse', confirmPassword: 'another horse' },
    });
  expect((await reset(bed, made[0])).status).toBe(204);

  const [data, restored] = [await storesOf(run), await storesOf(copy)];
  const waiting = async (service: string, name: string) =>
    data
      .databaseOf(service)
      .collection(name)
      .countDocuments({ 'outbox.0': { $exists: true } });
  await bed.eventually(async () => {
    expect(await waiting('messages', 'inbox_rules')).toBe(0);
    expect(await waiting('messages', 'messages')).toBe(0);
    expect(await waiting('auth', 'users')).toBe(0);
  });
  await bringLedgers(data, restored);
  expect(await runRestore(commandOf(copy, [target, '--empty-broker']))).toBe(0);

  const second = await startRestored(copy);
  try {
    const blocks = (await as(second, owner, 'messages', 'GET', '/api/blocks').with()).body as { messageId: number }[];
    expect(blocks.map(({ messageId }) => messageId)).toEqual([expect.any(Number), messages.early.id]);
    for (const visitor of [early, late, forgiven]) await second.sendMessage(owner.id, { content: 'again' }, visitor);
    const inbox = (await as(second, owner, 'messages', 'GET', '/api/messages').with()).body as { content: string }[];
    expect(inbox.filter(({ content }) => content === 'again')).toHaveLength(1);

    const ended = await second.call('messages', 'GET', wayBackOf(messages.ended), newVisitor());
    expect(ended.body).toMatchObject({ hasEnded: true, canWrite: false });
    expect((await second.call('messages', 'GET', wayBackOf(messages.left), newVisitor())).status).toBe(404);

    const page = await second.call('auth', 'GET', `/api/users/${sleeper.username}`);
    expect(page.body).toMatchObject({ receiving: { from: 'nobody' }, isOnline: false, lastOnline: null });
    const body = { userId: sleeper.id, content: 'now' };
    expect((await second.call('messages', 'POST', '/api/messages', { ...early, body })).body).toMatchObject({
      code: 'receiving_paused',
    });

    expect((await reset(second, made[0])).status).toBe(401);
    const own = (await as(second, owner, 'auth', 'GET', '/api/user').with()).body as { restoredTo: string };
    expect(Date.parse(own.restoredTo)).toBeLessThan(Date.now());
    expect((await reset(second, made[1])).status).toBe(204);
  } finally {
    await second.stop();
  }
});

interface Listed {
  id: number;
  isRead: boolean;
  isPublic?: boolean;
}

/** All pages. */
async function listOf(on: TestBed, { identity }: BedAccount, list: string): Promise<Listed[]> {
  const found: Listed[] = [];
  for (let next: string | undefined = `${list}?limit=100`; next !== undefined;) {
    const { body, headers } = await on.call('messages', 'GET', next, { identity });
    found.push(...(body as Listed[]));
    next = /^<(.+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
  }
  return found;
}

/** Applied to each message in turn. */
const ACTS = [
  ['PATCH', { isRead: true }],
  ['PATCH', { isPublic: true }],
  ['DELETE', undefined],
  ['PATCH', { isRead: false }],
] as const;

test('after a backup under load, each number is that of the messages that came back', async () => {
  const run = String(bed.environment['AMQP_PREFIX']);
  const copy = `restored-${randomUUID().slice(0, 8)}`;
  const target = path.join(folder, 'load');
  const [busy, quiet] = [await bed.newAccount(), await bed.newAccount()];
  let isOver = false as boolean;
  let done = 0;
  const live = async (owner: BedAccount, writer?: BedAccount): Promise<void> => {
    for (let count = 0; !isOver; count += 1) {
      const by = writer && { identity: writer.identity };
      const { id } = await bed.sendMessage(owner.id, { content: `رسالة ${count}` }, by);
      const [method, body] = ACTS[count % ACTS.length] ?? ACTS[0];
      await bed.call('messages', method, `/api/messages/${id}`, { identity: owner.identity, ...(body && { body }) });
      done += 1;
    }
  };
  const lives = [live(busy), live(busy, quiet), live(quiet, busy)];
  await bed.eventually(() => expect(done).toBeGreaterThan(100));
  const before = done;
  expect(await runBackup(commandOf(run, [target]))).toBe(0);
  expect(done).toBeGreaterThan(before);
  isOver = true;
  await Promise.all(lives);

  const [data, restored] = [await storesOf(run), await storesOf(copy)];
  await bringLedgers(data, restored);
  expect(await runRestore(commandOf(copy, [target, '--empty-broker']))).toBe(0);
  const second = await startRestored(copy);
  try {
    for (const account of [busy, quiet]) {
      const { identity } = account;
      const inbox = await listOf(second, account, '/api/messages');
      const sent = await listOf(second, account, '/api/messages/sent');
      const read = inbox.filter(({ isRead }) => isRead).length;
      expect(inbox.length).toBeGreaterThan(0);
      const counted = { received: inbox.length, read, unread: inbox.length - read, sent: sent.length };
      expect((await second.call('messages', 'GET', '/api/messages/stats', { identity })).body).toMatchObject(counted);
      const page = await second.call('messages', 'GET', `/api/messages/public/${account.id}`);
      expect(Number(page.headers.get('x-total-count'))).toBe(inbox.filter(({ isPublic }) => isPublic === true).length);
    }
  } finally {
    await second.stop();
  }
});
