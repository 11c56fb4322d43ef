// Long run: crashes.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  eventually,
  inboxOf,
  PIXEL,
  startTestSystem,
  trackedIdsOf,
  type TestAccount,
  type TestSystem,
} from '@najwa/testing';

/** Crawlers do not count. */
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

let system: TestSystem;

beforeAll(async () => {
  // Here the plain shell of the gateway, in other journeys Express Gateway.
  system = await startTestSystem({ ownParts: ['amqp', 's3'], env: { GATEWAY_SHELL: 'plain' } });
});

afterAll(() => system.stop());

/** Retries with the same Idempotency-Key, as the web client does. */
async function sendUntilAccepted(userId: number, content: string): Promise<number> {
  const headers = { 'idempotency-key': randomUUID() };
  let id: number | undefined;
  await eventually(async () => {
    const answer = await system.request('POST', '/api/messages', { body: { userId, content }, headers });
    expect(answer.status).toBe(201);
    id = (answer.body as { id: number }).id;
  }, 60_000);
  return id ?? Number.NaN;
}

test('tracks a message once if its service is killed before the event is published', async () => {
  const owner = await system.newAccount();
  const { amqp } = system.infrastructure.parts;
  await amqp.kill?.();
  const ids = [await sendUntilAccepted(owner.id, 'first'), await sendUntilAccepted(owner.id, 'second')];
  await system.kill('messages');
  await amqp.restart?.();
  await system.restart('messages');
  await eventually(async () => expect(await trackedIdsOf(system, owner.id)).toEqual(ids), 60_000);
  expect((await inboxOf(system, owner)).map(({ id }) => id)).toEqual(ids);
});

// Threat model: rabbitmq-5.
test('keeps every message that is accepted while the broker is down for ten seconds, and delivers every event', async () => {
  const owner = await system.newAccount();
  const { amqp } = system.infrastructure.parts;
  const accepted: number[] = [];
  let sending = true;
  const senders = Array.from({ length: 4 }, async (_, sender) => {
    for (let count = 0; sending; count += 1)
      accepted.push(await sendUntilAccepted(owner.id, `sender ${sender}, message ${count}`));
  });
  await eventually(() => expect(accepted.length).toBeGreaterThan(8));
  await amqp.kill?.();
  const atDeath = accepted.length;
  // The test needs a broker outage of ten seconds.
  const deadline = Date.now() + 10_000;
  await eventually(() => expect(Date.now()).toBeGreaterThan(deadline), 15_000);
  const duringDeath = accepted.length - atDeath;
  await amqp.restart?.();
  await eventually(() => expect(accepted.length).toBeGreaterThan(atDeath + duringDeath + 4));
  sending = false;
  await Promise.all(senders);

  expect(duringDeath).toBeGreaterThan(0);
  const expected = [...accepted].sort((a, b) => a - b);
  expect(new Set(expected).size).toBe(expected.length);
  await eventually(async () => expect(await trackedIdsOf(system, owner.id)).toEqual(expected), 90_000);
  const stored = (await system.request('GET', '/api/messages/stats', { cookie: owner.cookie })).body;
  expect(stored).toMatchObject({ received: expected.length });
});

test('counts every visit that was published before its gateway is killed, and none twice', async () => {
  const owner = await system.newAccount();
  const open = async (...visitors: number[]) => {
    for (const visitor of visitors)
      await system.request('GET', `/m/${owner.username}/seen`, {
        headers: { cookie: `najwa_visitor=${String(visitor).padStart(22, 'a')}`, 'user-agent': BROWSER },
      });
  };
  const visits = async () =>
    ((await system.request('GET', '/api/user', { cookie: owner.cookie })).body as { visitorCount: number })
      .visitorCount;

  await open(1, 2, 3, 4, 5);
  await eventually(async () => expect(await visits()).toBe(5));
  await open(6, 7, 8);
  await system.kill('gateway');
  await system.restart('gateway');
  await open(1, 2, 3, 4, 5, 6, 7, 8, 9);
  await eventually(async () => expect(await visits()).toBe(9));
});

/** Slow enough to be killed in the middle. */
const MANY = 1_000;

async function fillInbox(owner: TestAccount): Promise<void> {
  const { id } = await system.sendMessage(owner.id, { content: 'سلام', imageUrl: PIXEL });
  const database = await system.openDatabase('messages');
  const messages = database.collection('messages');
  const template = await messages.findOne({ id });
  await messages.insertMany(
    Array.from({ length: MANY }, (_, index) => ({
      ...template,
      _id: undefined as never,
      id: id + 1 + index,
      outbox: [],
      wayBack: randomUUID(),
      submission: { key: randomUUID(), content: '' },
    })).map(({ _id, ...document }) => document),
  );
  const counts = { received: MANY + 1, 'receivedIds.last': id + MANY };
  await database.collection('message_counts').updateOne({ _id: owner.id as never }, { $set: counts });
  await database.close();
}

interface Export {
  id: number;
  status: string;
  progress: number;
}

const ask = async ({ cookie }: TestAccount, method: string, path: string): Promise<Export> =>
  (await system.request(method, path, { cookie })).body as Export;

/** Requests an export, and crashes a part in the middle. */
async function gatherThrough(owner: TestAccount, crash: () => Promise<void>): Promise<number> {
  const { id } = await ask(owner, 'POST', '/api/exports');
  await eventually(async () => {
    const { status, progress } = await ask(owner, 'GET', `/api/exports/${id}`);
    expect([status, progress > 0]).toEqual(['gathering', true]);
  });
  await crash();
  await eventually(
    async () => expect(await ask(owner, 'GET', `/api/exports/${id}`)).toMatchObject({ status: 'ready' }),
    120_000,
  );
  return id;
}

async function picturesIn({ cookie }: TestAccount, id: number): Promise<number> {
  const { body } = await system.request('GET', `/api/exports/${id}/file`, { cookie });
  return new Set(String(body).match(/pictures\/\d+\.webp/g)).size;
}

test('an export is complete in the end despite crashes', async () => {
  const owner = await system.newAccount();
  await fillInbox(owner);
  const afterMessages = await gatherThrough(owner, async () => {
    await system.kill('messages');
    await system.restart('messages');
  });
  expect(await picturesIn(owner, afterMessages)).toBe(MANY + 1);

  const { s3 } = system.infrastructure.parts;
  const afterFiles = await gatherThrough(owner, async () => {
    await s3.kill?.();
    await s3.restart?.();
  });
  expect(await picturesIn(owner, afterFiles)).toBe(MANY + 1);
});
