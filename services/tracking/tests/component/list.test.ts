import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createContext, type TrackingContext } from '../../src/context.js';
import { SEARCH } from '../../src/db/records.js';
import { loadConfig } from '../../src/index.js';
import { startTrackingBed, type TrackingBed } from './tracking-bed.js';

const NORA = 11;
const HAZEM = 12;

let tracking: TrackingBed;

beforeAll(async () => {
  tracking = await startTrackingBed();
  await tracking.track([
    tracking.newMessage({ userId: NORA, content: 'أُحِبُّ كتاباتِكِ يا نورة' }),
    tracking.newMessage({ userId: HAZEM, content: 'What a LOVELY voice (really)' }),
    tracking.newMessage({ userId: NORA, content: 'متى القصة القادمة؟' }),
    tracking.newMessage({ userId: HAZEM, content: 'احب صوتك' }),
  ]);
});

afterAll(() => tracking.stop());

const idsOf = async (request: Parameters<TrackingBed['list']>[0]): Promise<number[]> =>
  (await tracking.list(request)).records.map(({ messageId }) => messageId);

test('the list is newest first and pages without gap or repeat', async () => {
  const pages: number[] = [];
  let before = 0;
  do {
    const page = await tracking.list({ before, limit: 3 });
    pages.push(...page.records.map(({ messageId }) => messageId));
    before = page.nextBefore;
  } while (before !== 0);
  expect(pages).toEqual([4, 3, 2, 1]);
});

test('the list has no next page after a last page that is full', async () => {
  expect(await tracking.list({ limit: 4 })).toMatchObject({ nextBefore: 0 });
});

test('the list returns the number of records, except for a search by text', async () => {
  expect((await tracking.list({ limit: 1 })).total).toBe(4);
  expect((await tracking.list({ limit: 1, recipientId: NORA })).total).toBe(2);
  expect((await tracking.list({ limit: 1, text: 'احب' })).total).toBeUndefined();
});

describe('a filter', () => {
  test('keeps the messages of one recipient', async () => {
    expect(await idsOf({ recipientId: NORA })).toEqual([3, 1]);
    expect(await idsOf({ recipientId: 99 })).toEqual([]);
  });

  test('ignores diacritics, letter forms, case and spaces', async () => {
    expect(await idsOf({ text: 'يا   نوره' })).toEqual([1]);
    expect(await idsOf({ text: 'أحب' })).toEqual([4, 1]);
    expect(await idsOf({ text: 'القصه' })).toEqual([3]);
    expect(await idsOf({ text: 'lovely VOICE' })).toEqual([2]);
  });

  test('matches a text literally, not as a pattern', async () => {
    expect(await idsOf({ text: '(really)' })).toEqual([2]);
    expect(await idsOf({ text: '.*' })).toEqual([]);
  });

  test('combines recipient and text', async () => {
    expect(await idsOf({ recipientId: HAZEM, text: 'احب' })).toEqual([4]);
  });

  test.each([{ limit: 0 }, { limit: 101 }, { text: 'a'.repeat(1_601) }])('refuses %j', async (request) => {
    await expect(tracking.list(request)).rejects.toMatchObject({ code: 'invalid_input' });
  });
});

describe('a search among many', () => {
  let replica: TrackingContext;
  let many: TrackingBed;

  beforeAll(async () => {
    many = await startTrackingBed();
    replica = await createContext(loadConfig(many.bed.environmentOf('tracking')));
    await replica.database.connect();
    await replica.database.connection
      .collection<{ _id: string; value: number }>('counters')
      .insertOne({ _id: 'sender_tracking_info', value: SEARCH.maxIds + 10 });
    const records = Array.from({ length: SEARCH.maxIds + 10 }, (_, index) => ({
      id: index + 1,
      messageId: index + 1,
      revision: 1,
      createdAt: new Date(),
      message: { content: index === 0 ? 'الأولى' : 'غيرها', isRead: false, isPublic: false, userId: 1 },
      searchableText: index === 0 ? 'الاولي' : 'غيرها',
      trace: {
        ipAddress: '',
        userAgent: '',
        referrer: '',
        browser: '',
        operatingSystem: '',
        device: '',
        location: '',
        language: '',
        acceptedLanguages: [],
      },
      isTraced: true,
      deletedAt: null,
    }));
    const collection = replica.database.connection.collection('sender_tracking_info');
    while (records.length > 0) await collection.insertMany(records.splice(0, 1_000));
  });

  afterAll(async () => {
    await replica.database.close();
    await many.stop();
  });

  test('reads a part and returns a cursor that leads to older records', async () => {
    const first = await many.list({ text: 'الأولى' });
    expect(first).toEqual({ records: [], nextBefore: 11 });
    const second = await many.list({ text: 'الأولى', before: first.nextBefore });
    expect(second).toMatchObject({ records: [{ messageId: 1 }], nextBefore: 0 });
  });

  test('a search among many is not counted', async () => {
    expect((await many.list({ limit: 1 })).total).toBeUndefined();
  });

  test('continues after the last record of a full page', async () => {
    expect(await many.list({ text: 'غير', limit: 2 })).toMatchObject({
      records: [{ messageId: SEARCH.maxIds + 10 }, { messageId: SEARCH.maxIds + 9 }],
      nextBefore: SEARCH.maxIds + 9,
    });
  });
});
