import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { backUp, connectStores, loadConfig, restore, type Stores } from '@najwa/backup';
import { requiredVariable } from '@najwa/testing';
import { DATABASE_SERVICES } from '../../src/stores.js';

const OWNER = 5;
const LAST_ID = 8;

let lost: Stores;
let restored: Stores;
let folder: string;

function newStores(): Promise<Stores> {
  const name = `restore-${randomUUID().slice(0, 8)}`;
  const stores = ['MONGO_URL', 'S3_ENDPOINT', 'S3_ACCESS_KEY', 'S3_SECRET_KEY'];
  const environment = Object.fromEntries(stores.map((variable) => [variable, requiredVariable(variable)]));
  return connectStores(loadConfig({ ...environment, MONGO_PREFIX: name, S3_BUCKET: name }));
}

const inMessages = ({ databaseOf }: Stores, collection: string) =>
  databaseOf('messages').collection<{ _id: string | number }>(collection);

beforeAll(async () => {
  [lost, restored] = await Promise.all([newStores(), newStores()]);
  folder = await mkdtemp(path.join(tmpdir(), 'najwa-backup-'));
  const messages = [LAST_ID - 1, LAST_ID].map((id) => ({
    _id: id,
    id,
    userId: OWNER,
    senderUserId: null,
    isRead: id === LAST_ID,
    isPublic: false,
    hiddenFromSender: false,
  }));
  await inMessages(lost, 'messages').insertMany(messages);
  // Of another moment than the messages.
  const counts = { received: 9, read: 9, public: 9, sent: 9, applied: ['an entry'], version: 1 };
  await inMessages(lost, 'message_counts').insertOne({ _id: OWNER, ...counts });
  await inMessages(lost, 'counters').insertOne({ _id: 'messages', value: LAST_ID } as never);
  await backUp(lost, folder);
  await restore(restored, folder);
});

afterAll(async () => {
  await restored.files.removeBucket(restored.bucket);
  for (const stores of [lost, restored]) {
    await Promise.all(DATABASE_SERVICES.map((service) => stores.databaseOf(service).dropDatabase()));
    await stores.close();
  }
  await rm(folder, { recursive: true });
});

test('the counts of an inbox after a restore are those of its messages', async () => {
  expect(await inMessages(restored, 'message_counts').findOne({ _id: OWNER })).toMatchObject({
    received: 2,
    read: 1,
    public: 0,
    sent: 0,
    applied: [],
  });
});

test('ids after a restore are far beyond those that the lost system may have given', async () => {
  const counter = await inMessages(restored, 'counters').findOne({ _id: 'messages' });
  expect((counter as { value?: number } | null)?.value).toBeGreaterThan(LAST_ID + 100_000);
});
