// Long run: crashes.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually, inboxOf, startTestSystem, trackedIdsOf, type TestSystem } from '@najwa/testing';

/** Crawlers do not count. */
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

let system: TestSystem;

beforeAll(async () => {
  system = await startTestSystem({ ownParts: ['amqp'] });
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
