import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { IDENTITY_HEADER, MIGRATIONS, type BackendService } from '@najwa/common';
import { startTestBed, type BedAccount, type CallerIdentity, type TestBed } from '@najwa/dev-env';
import { loadConfig } from '../../src/config.js';
import { createContext, type MessagesContext } from '../../src/context.js';
import { sealingMigrations } from '../../src/domain/sealing.js';
import { create } from '../../src/index.js';
import { keysOf } from '../support/answers.js';
import { dumpDatabase, withDatabase } from '../support/theft.js';

/** The bed runs as the step before sealing, which reads and writes what earlier versions do. */
let bed: TestBed;
/** Its environment after that step. */
let sealing: ReturnType<TestBed['environmentOf']>;
let owner: BedAccount;
let sender: BedAccount;
/** A replica that seals, beside the bed's that does not. */
let replica: BackendService | undefined;
let context: MessagesContext;

const visitor: CallerIdentity = { visitorId: `telltale-${randomUUID()}`, ip: '198.51.100.77' };

beforeAll(async () => {
  bed = await startTestBed({
    services: ['auth', 'tracking', 'messages'],
    env: { RATE_LIMIT_SCALE: '0', SEAL_SENDERS: 'false' },
  });
  sealing = { ...bed.environmentOf('messages'), SEAL_SENDERS: 'true' };
  context = await createContext(loadConfig(sealing));
  await context.database.connect();
  owner = await bed.newAccount();
  sender = await bed.newAccount();
});

afterAll(async () => {
  await replica?.stop(0);
  await context.database.close();
  await bed.stop();
});

const send = (from: CallerIdentity, content = 'رسالة') => bed.sendMessage(owner.id, { content }, { identity: from });

const sentBy = (identity: CallerIdentity) => send({ ...identity, ...visitor });

/** The answers of a replica to an account. */
async function read(url: string, path: string, identity: CallerIdentity, method = 'GET'): Promise<unknown> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { [IDENTITY_HEADER]: await bed.identityToken('messages', identity) },
  });
  return response.status === 200 ? response.json() : response.status;
}

const replicas = (): string[] => [
  bed.url('messages'),
  ...(replica ? [`http://127.0.0.1:${replica.ports().http}`] : []),
];

/** The lists of sender and owner, in each replica. */
const seen = () =>
  Promise.all(
    replicas().map(async (url) => {
      const idsIn = async (path: string, { identity }: BedAccount) =>
        ((await read(url, path, identity)) as { id: number }[]).map(({ id }) => id);
      return {
        sent: await idsIn('/api/messages/sent', sender),
        inbox: await idsIn('/api/messages', owner),
        aside: await idsIn('/api/messages?folder=aside', owner),
        senderStats: await read(url, '/api/messages/stats', sender.identity),
        ownerStats: await read(url, '/api/messages/stats', owner.identity),
      };
    }),
  );

const settleOutbox = () =>
  bed.eventually(async () => {
    expect(await context.messages.collection.countDocuments({ 'outbox.at': { $gt: new Date(0) } })).toBe(0);
  });

const runOnce = async (name: string, migrations = sealingMigrations(context)): Promise<number> => {
  const migration = migrations.find((candidate) => candidate.name.endsWith(name));
  return (await migration?.runBatch(context.database.connection, null))?.changed ?? -1;
};

test('is migrated beside replicas that do not seal, while both go on, and after a crash', async () => {
  const blocked = await bed.newAccount();
  const first = await send({ ...blocked.identity, visitorId: randomUUID() });
  await bed.call('messages', 'POST', '/api/blocks', { identity: owner.identity, body: { messageId: first.id } });
  for (const from of [sender.identity, {}, sender.identity, sender.identity]) await sentBy(from);
  await send({ ...blocked.identity, visitorId: randomUUID() });
  const [, hidden] = (await seen())[0]?.sent ?? [];
  expect(await read(bed.url('messages'), `/api/messages/${hidden}`, sender.identity, 'DELETE')).toBe(204);
  const [before] = await seen();
  expect(before).toMatchObject({ sent: [5, 2], inbox: [5, 4, 3, 2, 1], aside: [6], senderStats: { sent: 2 } });
  const dump = await dumpDatabase(bed, 'messages');
  expect(keysOf(JSON.parse(dump.get('messages.inbox_rules') ?? ''))).toContain('key');
  await settleOutbox();

  // A crash after the first message.
  let changes = 0;
  const crashing = sealingMigrations({
    ...context,
    messages: {
      ...context.messages,
      change: (...change) => {
        changes += 1;
        return changes > 1 ? Promise.reject(new Error('crash')) : context.messages.change(...change);
      },
    },
  });
  await expect(runOnce('seal-senders', crashing)).rejects.toThrow('crash');
  expect(await seen()).toEqual([before]);

  replica = await create(loadConfig(sealing));
  await replica.start();
  await bed.eventually(async () => {
    const done = await context.database.connection
      .collection<{ _id: string }>(MIGRATIONS)
      .find({ passes: { $gt: 0 } })
      .toArray();
    const names = sealingMigrations(context).map(({ name }) => name);
    expect(done.map(({ _id }) => _id)).toEqual(expect.arrayContaining(names));
  });
  expect(await seen()).toEqual([before, before]);

  // Both go on: one in clear, one sealed.
  await sentBy(sender.identity);
  const url = `http://127.0.0.1:${replica.ports().http}`;
  const response = await fetch(`${url}/api/messages`, {
    method: 'POST',
    headers: {
      [IDENTITY_HEADER]: await bed.identityToken('messages', { ...sender.identity, ...visitor }),
      'content-type': 'application/json',
    },
    body: JSON.stringify({ userId: owner.id, content: 'رسالة' }),
  });
  expect(response.status).toBe(201);
  await send({ ...blocked.identity, visitorId: randomUUID() });
  const after = { sent: [8, 7, 5, 2], inbox: [8, 7, 5, 4, 3, 2, 1], aside: [9, 6], senderStats: { sent: 4 } };
  expect(await seen()).toMatchObject([after, after]);
  await settleOutbox();

  // A later pass, twice.
  expect(await runOnce('seal-senders')).toBe(2);
  expect(await runOnce('seal-senders')).toBe(0);
  await settleOutbox();
  await runOnce('forget-sent-ids');
  expect(await seen()).toMatchObject([after, after]);

  // Owners delete in either replica, and the counts of the sender follow.
  expect(await read(bed.url('messages'), '/api/messages/2', owner.identity, 'DELETE')).toBe(204);
  expect(await read(url, '/api/messages/7', owner.identity, 'DELETE')).toBe(204);
  const rest = { sent: [8, 5], senderStats: { sent: 2 } };
  expect(await seen()).toMatchObject([rest, rest]);
});

test('leaves nothing in clear, and moderators still know the same sender', async () => {
  const { messages, reports } = await withDatabase(bed, 'messages', async (connection) => {
    const documents = (name: string) => connection.collection(name).find().toArray();
    const counts = await connection.collection<{ _id: number }>('message_counts').findOne({ _id: sender.id });
    expect(counts).not.toHaveProperty('sentIds');
    expect(counts).toMatchObject({ sent: 0 });
    expect(keysOf(await documents('inbox_rules'))).not.toContain('key');
    for (const messageId of [5, 8]) {
      const body = { messageId, reason: 'threat' };
      const { status } = await bed.call('messages', 'POST', '/api/reports', { identity: owner.identity, body });
      expect(status).toBe(201);
    }
    return { messages: await documents('messages'), reports: await documents('reports') };
  });
  expect(messages.filter(({ senderUserId }) => typeof senderUserId === 'number')).toEqual([]);
  const today = new Date().toISOString().slice(0, 10);
  for (const { deletedAt, sealedSender } of messages)
    if (!deletedAt) expect((sealedSender as string).slice(0, 10)).toBe(today);
  const [account, other] = reports.map(({ senderTags }) => senderTags as { account: string; visitor: string });
  expect(account).toEqual(other);
  expect(account?.account).toEqual(expect.any(String));
  expect(JSON.stringify(messages)).not.toContain('telltale');
});
