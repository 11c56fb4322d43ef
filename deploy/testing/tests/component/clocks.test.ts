// Long run: clocks that are days apart.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLogger } from '@najwa/common/logging';
import {
  dataUrl,
  readSample,
  startReplica,
  startTestBed,
  takeClock,
  type BedAccount,
  type TestBed,
  type TestClock,
} from '@najwa/testing';
import type { Connection } from 'mongoose';

const DAY_MS = 24 * 60 * 60 * 1000;
const SERVICES = ['auth', 'media', 'tracking', 'messages', 'chatbot'] as const;
type ServiceWithData = (typeof SERVICES)[number];

/**
 * Beyond the week of an account, and the three months of data keys. Sweeps at start equal those of every five minutes.
 */
const DAYS_AHEAD = [8, 91];

let bed: TestBed;
let clock: TestClock;
let databases: Map<ServiceWithData, Connection>;
let owner: BedAccount;
const logged: string[] = [];

beforeAll(async () => {
  clock = takeClock();
  bed = await startTestBed({ services: [...SERVICES], env: { RATE_LIMIT_SCALE: '0' } });
  databases = new Map();
  for (const service of SERVICES) databases.set(service, await bed.openDatabase(service));
  owner = await bed.newAccount();
});

afterAll(async () => {
  for (const database of databases.values()) await database.close();
  await bed.stop();
  clock.giveBack();
});

const collectionOf = (service: ServiceWithData, name: string) => {
  const found = databases.get(service)?.collection(name);
  if (found === undefined) throw new Error(`No database of ${service}.`);
  return found;
};

/** Every document of every service, except counts of calls. */
async function documents(): Promise<Set<string>> {
  const all = new Set<string>();
  for (const [service, connection] of databases)
    for (const { name } of (await connection.db?.listCollections({}, { nameOnly: true }).toArray()) ?? []) {
      if (name === 'rate_limits') continue;
      for (const { _id } of await connection
        .collection(name)
        .find({}, { projection: { _id: 1 } })
        .toArray())
        all.add(`${service} ${name} ${String(_id)}`);
    }
  return all;
}

/** Runs the sweep of one more replica of each service. */
async function sweepEverything(): Promise<void> {
  const logger = createLogger({ service: 'test', level: 'error', destination: { write: (line) => logged.push(line) } });
  const replicas = await Promise.all(SERVICES.map((service) => startReplica(bed, service, { logger })));
  await Promise.all(replicas.map((replica) => replica.stop()));
}

test('two replicas whose clocks are days apart remove nothing of each other in an hour', async () => {
  const leaver = await bed.newAccount();
  await bed.call('messages', 'PUT', '/api/filters', {
    identity: owner.identity,
    body: { words: ['إعلان'], lists: [] },
  });
  const imageUrl = dataUrl(await readSample('photo.png'), 'image/png');
  const [pictured, aside] = [
    await bed.sendMessage(owner.id, { content: 'صورة', imageUrl }),
    await bed.sendMessage(owner.id, { content: 'إعلان' }, { identity: { visitorId: randomUUID() } }),
  ];
  const name = pictured.imageUrl?.split('/').at(-1) ?? '';
  const body = { password: leaver.password };
  await bed.call('auth', 'POST', '/api/account/deletion', { identity: leaver.identity, body });
  await bed.eventually(async () => {
    expect(await bed.listTracking()).toHaveLength(2);
    expect(await collectionOf('media', 'pictures').findOne({ name })).toMatchObject({ unclaimedSince: null });
  });
  // As if its event were still under way.
  const unclaimed = { $set: { unclaimedSince: clock.real(), revision: -1 } };
  await collectionOf('media', 'pictures').updateOne({ name }, unclaimed);

  const before = await documents();
  for (const days of DAYS_AHEAD) {
    clock.advance(days * DAY_MS);
    await sweepEverything();
    clock.advance(-days * DAY_MS);
    await sweepEverything();
  }
  const after = await documents();
  expect([...before].filter((document) => !after.has(document))).toEqual([]);
  expect(logged.filter((line) => line.includes('the clock differs'))).toHaveLength(DAYS_AHEAD.length * SERVICES.length);

  const as = { identity: owner.identity };
  expect((await bed.call('media', 'GET', `/api/image/${name}`, as)).status).toBe(200);
  expect((await bed.call('messages', 'GET', '/api/messages?folder=aside', as)).body).toMatchObject([{ id: aside.id }]);
  expect(await bed.listTracking()).toHaveLength(2);
  // A leaver can still stay.
  expect((await bed.call('auth', 'DELETE', '/api/account/deletion', { identity: leaver.identity })).status).toBe(204);
});
