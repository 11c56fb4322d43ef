import { randomUUID } from 'node:crypto';
import { createDatabase, createLogger } from '@najwa/common';
import { startTestSystem, type TestSystem } from '@najwa/dev-env';
import type { BenchResult } from './result.js';
import { median, rounded } from './statistics.js';

const FEW = 1_000;
const MANY = 1_000_000;
const BATCH = 5_000;
const BATCHES_AT_ONCE = 2;
const WARM_UP_REQUESTS = 50;
const REQUESTS = 300;
const RECIPIENTS = 1_000;

const LIST = '/api/admin/sender-tracking?limit=20';
const LISTS = {
  newest: LIST,
  of_a_recipient: `${LIST}&userId=7`,
  by_text: `${LIST}&text=${encodeURIComponent('القصة 7')}`,
};

type ListName = keyof typeof LISTS;

/**
 * Records in the format of the tracking service, inserted directly: a million events would take longer than the rest of
 * the benchmark.
 */
function recordOf(id: number) {
  const content = `متى القصة ${id % 1_000}؟ What a lovely page this is, number ${id}.`;
  return {
    id,
    messageId: id,
    revision: 1,
    createdAt: new Date(),
    message: { content, isRead: id % 2 === 0, isPublic: id % 3 === 0, userId: (id % RECIPIENTS) + 1 },
    searchableText: content.toLowerCase().replaceAll('ة', 'ه').replaceAll('ى', 'ي'),
    trace: {
      ipAddress: `198.51.${(id >> 8) % 256}.${id % 256}`,
      userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
      referrer: 'https://najwa.example/m/layla',
      browser: 'Firefox',
      operatingSystem: 'Windows',
      device: 'desktop',
      location: '',
      language: 'ar',
      acceptedLanguages: ['ar', 'en'],
    },
    isTraced: true,
    deletedAt: null,
  };
}

async function openTrackingDatabase({ infrastructure }: TestSystem) {
  const url = infrastructure.env['MONGO_URL'] ?? '';
  const logger = createLogger({ service: 'bench', level: 'silent' });
  const server = createDatabase({ url, database: 'admin' }, logger);
  await server.connect();
  const names = (await server.connection.listDatabases()).databases
    .map(({ name }) => name)
    .filter((name) => name.endsWith('_tracking'));
  await server.close();
  const [database] = names;
  if (database === undefined || names.length > 1)
    throw new Error(`Expected one tracking database, found ${names.length}.`);
  const tracking = createDatabase({ url, database }, logger);
  await tracking.connect();
  return tracking.connection;
}

type TrackingDatabase = Awaited<ReturnType<typeof openTrackingDatabase>>;

async function fill(database: TrackingDatabase, from: number, to: number): Promise<void> {
  const records = database.collection('sender_tracking_info');
  let next = from;
  const insertBatches = async (): Promise<void> => {
    while (next <= to) {
      const first = next;
      next += BATCH;
      await records.insertMany(
        Array.from({ length: Math.min(BATCH, to - first + 1) }, (_, index) => recordOf(first + index)),
        { ordered: false },
      );
    }
  };
  await Promise.all(Array.from({ length: BATCHES_AT_ONCE }, insertBatches));
  await database
    .collection<{ _id: string }>('counters')
    .updateOne({ _id: 'sender_tracking_info' }, { $set: { value: to } }, { upsert: true });
}

async function signInAsAdministrator(system: TestSystem): Promise<string> {
  const account = { username: `a-${randomUUID().slice(0, 8)}`, password: 'correct horse battery' };
  const created = await system.request('POST', '/api/admin/create', {
    body: { ...account, name: 'سالم', email: 'salem@example.test', adminSecret: system.adminSecret },
  });
  if (created.status !== 201) throw new Error(`Creating the administrator failed with status ${created.status}.`);
  const login = await system.request('POST', '/api/login', { body: account });
  return (login.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
}

/** Median response time through the gateway, in milliseconds. */
async function timeOf(system: TestSystem, cookie: string, path: string): Promise<number> {
  const times: number[] = [];
  for (let sent = 0; sent < WARM_UP_REQUESTS + REQUESTS; sent += 1) {
    const began = performance.now();
    const { status, body } = await system.request('GET', path, { cookie });
    const took = performance.now() - began;
    if (status !== 200 || !Array.isArray(body) || body.length === 0)
      throw new Error(`${path} returned status ${status} without records.`);
    if (sent >= WARM_UP_REQUESTS) times.push(took);
  }
  return median(times);
}

async function timesOf(system: TestSystem, cookie: string): Promise<Record<ListName, number>> {
  const times: Partial<Record<ListName, number>> = {};
  for (const [name, path] of Object.entries(LISTS)) times[name as ListName] = await timeOf(system, cookie, path);
  return times as Record<ListName, number>;
}

/** Response time of the tracking list with a million records relative to a thousand. */
export async function run(): Promise<BenchResult> {
  // Uses its own database server, because a million records would slow down others.
  const system = await startTestSystem({ ownParts: ['mongo'] });
  const database = await openTrackingDatabase(system).catch(async (error: unknown) => {
    await system.stop();
    throw error;
  });
  try {
    const cookie = await signInAsAdministrator(system);
    await fill(database, 1, FEW);
    const few = await timesOf(system, cookie);
    const began = performance.now();
    await fill(database, FEW + 1, MANY);
    const seconds = (performance.now() - began) / 1_000;
    const many = await timesOf(system, cookie);
    return {
      bench: 'admin',
      aims: {
        tracking_list_million_to_thousand_ratio: {
          value: rounded(many.newest / few.newest),
          aim: 1.3,
          better: 'lower',
        },
      },
      milliseconds_with_a_thousand: Object.fromEntries(
        Object.entries(few).map(([name, time]) => [name, rounded(time, 2)]),
      ),
      milliseconds_with_a_million: Object.fromEntries(
        Object.entries(many).map(([name, time]) => [name, rounded(time, 2)]),
      ),
      requests: REQUESTS,
      seconds_to_fill: rounded(seconds, 0),
    };
  } finally {
    await database.close();
    await system.stop();
  }
}
