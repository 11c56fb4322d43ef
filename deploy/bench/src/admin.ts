import { sizes } from '@najwa/dev/bootstrap/smoke';
import type { TestSystem } from '@najwa/testing';
import type { Connection } from 'mongoose';
import type { SystemBenchmark } from './benchmark.js';
import { median, rounded } from './statistics.js';

const FEW = sizes({ full: 1_000, smoke: 50 });
const MANY = sizes({ full: 1_000_000, smoke: 200 });
const BATCH = sizes({ full: 5_000, smoke: 100 });
const BATCHES_AT_ONCE = 2;
const WARM_UP_REQUESTS = sizes({ full: 50, smoke: 1 });
const REQUESTS = sizes({ full: 300, smoke: 3 });
const RECIPIENTS = 1_000;
/** Above real ids. */
const FIRST_ID = 1_000_000_000;

const LIST = '/api/admin/sender-tracking?limit=20';
const LISTS = {
  newest: LIST,
  of_a_recipient: `${LIST}&userId=${FIRST_ID + 7}`,
  by_text: `${LIST}&text=${encodeURIComponent('القصة 7')}`,
};

type ListName = keyof typeof LISTS;

/** As tracking stores them, inserted directly: a million events would take too long. */
function recordOf(place: number, id: number) {
  const content = `متى القصة ${place % 1_000}؟ What a lovely page this is, number ${place}.`;
  return {
    id,
    messageId: FIRST_ID + place,
    revision: 1,
    createdAt: new Date(),
    message: { content, isRead: place % 2 === 0, isPublic: place % 3 === 0, userId: FIRST_ID + (place % RECIPIENTS) },
    searchableText: content.toLowerCase().replaceAll('ة', 'ه').replaceAll('ى', 'ي'),
    trace: {
      ipAddress: `198.51.${(place >> 8) % 256}.${place % 256}`,
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

/** @returns the number below ids that are unique */
async function reserveIds(database: Connection): Promise<number> {
  const counter = await database
    .collection<{ _id: string; value: number }>('counters')
    .findOneAndUpdate(
      { _id: 'sender_tracking_info' },
      { $inc: { value: MANY } },
      { upsert: true, returnDocument: 'after' },
    );
  return (counter?.value ?? Number.NaN) - MANY;
}

async function fill(database: Connection, ids: number, from: number, to: number): Promise<void> {
  const records = database.collection('sender_tracking_info');
  let next = from;
  const insertBatches = async (): Promise<void> => {
    while (next <= to) {
      const first = next;
      next += BATCH;
      await records.insertMany(
        Array.from({ length: Math.min(BATCH, to - first + 1) }, (_, index) =>
          recordOf(first + index, ids + first + index),
        ),
        { ordered: false },
      );
    }
  };
  await Promise.all(Array.from({ length: BATCHES_AT_ONCE }, insertBatches));
}

/** Median milliseconds through the gateway. */
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

/** The tracking list at a million records, relative to a thousand. */
export const admin: SystemBenchmark = {
  // A million records would slow down others.
  needs: () => ({ ownParts: ['mongo'] }),
  async run({ system, step }) {
    const database = await system.openDatabase('tracking');
    try {
      const { cookie } = await system.newStaff('administrator');
      const ids = await reserveIds(database);
      step.doing(`asking for lists of ${FEW} records`);
      await fill(database, ids, 1, FEW);
      const few = await timesOf(system, cookie);
      step.doing(`adding ${MANY - FEW} records`);
      const began = performance.now();
      await fill(database, ids, FEW + 1, MANY);
      const seconds = (performance.now() - began) / 1_000;
      step.doing(`asking for lists of ${MANY} records`);
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
    }
  },
};
