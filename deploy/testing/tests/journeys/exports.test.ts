// Long run: an export whose parts crash.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually, PIXEL, startTestSystem, type TestAccount, type TestSystem } from '@najwa/testing';

/** Slow enough to be killed in the middle. */
const MANY = 1_000;

let system: TestSystem;
let owner: TestAccount;

beforeAll(async () => {
  // Here the plain shell of the gateway, in other journeys Express Gateway.
  system = await startTestSystem({ ownParts: ['s3'], env: { GATEWAY_SHELL: 'plain' } });
  owner = await system.newAccount();
  await fillInbox();
});

afterAll(() => system.stop());

async function fillInbox(): Promise<void> {
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

const ask = async (method: string, path: string): Promise<Export> =>
  (await system.request(method, path, { cookie: owner.cookie })).body as Export;

/** Requests an export, and crashes a part in the middle. */
async function gatherThrough(crash: () => Promise<void>): Promise<number> {
  const { id } = await ask('POST', '/api/exports');
  await eventually(async () => {
    const { status, progress } = await ask('GET', `/api/exports/${id}`);
    expect([status, progress > 0]).toEqual(['gathering', true]);
  });
  await crash();
  await eventually(
    async () => expect(await ask('GET', `/api/exports/${id}`)).toMatchObject({ status: 'ready' }),
    120_000,
  );
  return id;
}

async function picturesIn(id: number): Promise<number> {
  const { body } = await system.request('GET', `/api/exports/${id}/file`, { cookie: owner.cookie });
  return new Set(String(body).match(/pictures\/\d+\.webp/g)).size;
}

test('an export is complete in the end despite crashes', async () => {
  const afterMessages = await gatherThrough(async () => {
    await system.kill('messages');
    await system.restart('messages');
  });
  expect(await picturesIn(afterMessages)).toBe(MANY + 1);

  const { s3 } = system.infrastructure.parts;
  const afterFiles = await gatherThrough(async () => {
    await s3.kill?.();
    await s3.restart?.();
  });
  expect(await picturesIn(afterFiles)).toBe(MANY + 1);
});
