// Long run: inboxes of many months.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sharedBed, type Answer, type Bed, type BedAccount } from '@najwa/testing';
import type { Connection } from 'mongoose';
import type { MessagesContext } from '../../src/context.js';
import { openReplica } from '../support/replica.js';

let bed: Bed;
/** A second replica without an open port. */
let replica: MessagesContext;
let connection: Connection;
let owner: BedAccount;
let friend: BedAccount;

beforeAll(async () => {
  bed = await sharedBed();
  replica = await openReplica(bed);
  ({ connection } = replica.database);
});

afterAll(() => replica.database.close());

beforeEach(async () => {
  [owner, friend] = await Promise.all([bed.newAccount(), bed.newAccount()]);
});

const call = (path: string, { identity } = owner): Promise<Answer> => bed.call('messages', 'GET', path, { identity });
const monthsOf = async (query = ''): Promise<unknown> => (await call(`/api/messages/months${query}`)).body;
const idsIn = async (path: string): Promise<number[]> =>
  ((await call(path)).body as { id: number }[]).map(({ id }) => id);

/** A message as if it had been sent then. */
async function sendAt(time: string, { to = owner, by = friend, content = 'سلام' } = {}): Promise<number> {
  const { id } = await bed.sendMessage(to.id, { content }, { identity: by.identity });
  await connection.collection('messages').updateOne({ id }, { $set: { createdAt: new Date(time) } });
  return id;
}

test('months are those of the requested list and time zone', async () => {
  await sendAt('2025-12-03T10:00:00Z');
  const read = await sendAt('2026-09-30T22:30:00Z');
  await bed.call('messages', 'PATCH', `/api/messages/${read}`, { identity: owner.identity, body: { isRead: true } });
  await sendAt('2026-10-02T10:00:00Z', { to: friend, by: owner });
  await sendAt('2026-10-03T10:00:00Z', { by: owner });
  const gone = await sendAt('2026-10-04T10:00:00Z');
  await bed.call('messages', 'DELETE', `/api/messages/${gone}`, { identity: owner.identity });

  const december = { month: '2025-12', count: 1 };
  const september = { month: '2026-09', count: 1 };
  expect(await monthsOf()).toEqual([{ month: '2026-10', count: 2 }, september, december]);
  expect(await monthsOf('?zone=Asia/Riyadh')).toEqual([{ month: '2026-10', count: 3 }, december]);
  expect(await monthsOf('?of=received')).toEqual([{ month: '2026-10', count: 1 }, september, december]);
  expect(await monthsOf('?of=unread')).toEqual([{ month: '2026-10', count: 1 }, december]);
  expect(await monthsOf('?of=read')).toEqual([september]);
  expect(await monthsOf('?of=sent')).toEqual([{ month: '2026-10', count: 2 }]);
});

test('an account without messages has no months', async () => {
  expect(await monthsOf()).toEqual([]);
  expect(await idsIn('/api/messages?start=2026-10-01T00:00:00Z')).toEqual([]);
});

test('messages set aside count in months for their sender alone', async () => {
  const { identity } = owner;
  await bed.call('messages', 'PUT', '/api/filters', { identity, body: { words: ['إعلان'], lists: [] } });
  await sendAt('2026-08-05T10:00:00Z', { content: 'إعلان' });
  await sendAt('2026-09-05T10:00:00Z');
  expect(await monthsOf()).toEqual([{ month: '2026-09', count: 1 }]);
  expect((await call('/api/messages/months', friend)).body).toEqual([
    { month: '2026-09', count: 1 },
    { month: '2026-08', count: 1 },
  ]);
});

describe('a list that starts at a time', () => {
  test('a list that starts at a time begins there in both orders and has pages', async () => {
    const ids: number[] = [];
    for (let month = 1; month <= 9; month += 1)
      for (const day of [5, 20])
        ids.push(
          await sendAt(
            `2026-0${month}-${String(day).padStart(2, '0')}T10:00:00Z`,
            month % 2 === 0 ? {} : { to: friend, by: owner },
          ),
        );
    const received = ids.filter((_, place) => Math.floor(place / 2) % 2 === 1);
    const sent = ids.filter((_, place) => Math.floor(place / 2) % 2 === 0);
    const june = '2026-06-01T00:00:00Z';
    const inOrder = (list: number[], pick: (place: number) => boolean) => list.filter((id) => pick(ids.indexOf(id)));
    const before = (place: number): boolean => place < 10;
    const since = (place: number): boolean => place >= 10;
    for (const [path, list] of [
      ['/api/messages', received],
      ['/api/messages/sent', sent],
    ] as const) {
      expect(await idsIn(`${path}?start=${june}`)).toEqual(inOrder(list, before).toReversed());
      expect(await idsIn(`${path}?start=${june}&sort=oldest`)).toEqual(inOrder(list, since));
      expect(await idsIn(`${path}?start=2020-01-01T00:00:00Z`)).toEqual([]);
      expect(await idsIn(`${path}?start=2030-01-01T00:00:00Z&limit=100`)).toEqual(list.toReversed());
      expect(await idsIn(`${path}?start=2020-01-01T00:00:00Z&sort=oldest&limit=100`)).toEqual(list);
      expect(await idsIn(`${path}?start=2030-01-01T00:00:00Z&sort=oldest`)).toEqual([]);
    }

    const seen: number[] = [];
    for (let next: string | undefined = `/api/messages?start=${june}&limit=2`; next !== undefined;) {
      const { body, headers }: Answer = await call(next);
      seen.push(...(body as { id: number }[]).map(({ id }) => id));
      next = /^<(.+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
    }
    expect(seen).toEqual(inOrder(received, before).toReversed());
  });

  test('a list that starts at a time compares minutes, as shown', async () => {
    const id = await sendAt('2026-06-01T10:30:40Z');
    for (const second of ['00', '41', '59'])
      expect(await idsIn(`/api/messages?sort=oldest&start=2026-06-01T10:30:${second}Z`)).toEqual([id]);
    expect(await idsIn('/api/messages?sort=oldest&start=2026-06-01T10:31:00Z')).toEqual([]);
    expect(await idsIn('/api/messages?start=2026-06-01T10:30:59Z')).toEqual([]);
  });

  test('a list that starts at a time finds its place among many messages of others', async () => {
    const ids: number[] = [];
    for (let place = 0; place < 40; place += 1) {
      if (place % 8 === 0) await bed.sendMessage(friend.id);
      ids.push((await bed.sendMessage(owner.id)).id);
    }
    // As if there were so many that a query reads a part of them.
    const counts = connection.collection<{ _id: number; received: number }>('message_counts');
    await bed.eventually(async () => {
      const own = { _id: owner.id, received: ids.length };
      expect(await counts.updateOne(own, { $set: { received: 230 } })).toMatchObject({ modifiedCount: 1 });
    });
    const timeOf = (place: number): Date => new Date(Date.UTC(2026, 0, 1, place));
    await Promise.all(
      ids.map((id, place) =>
        connection.collection('messages').updateOne({ id }, { $set: { createdAt: timeOf(place) } }),
      ),
    );
    for (const place of [0, 1, 13, 27, 39])
      expect(
        (await idsIn(`/api/messages?sort=oldest&limit=3&start=${timeOf(place).toISOString()}`)).slice(0, 3),
      ).toEqual(ids.slice(place, place + 3));
  });
});

test.each(['', '&sort=oldest', '&filter=unread'])(
  'a long search in sent messages continues page by page%s',
  async (more) => {
    const sendIt = async (content: string): Promise<number> =>
      (await bed.sendMessage(friend.id, { content }, { identity: owner.identity })).id;
    const [first, , last] = [await sendIt('الأولى'), await sendIt('غيرها'), await sendIt('الأولى')];
    const message = await connection.collection<{ senderUserId: string }>('messages').findOne({ id: first });
    const counts = connection.collection<{ _id: string; sent: number }>('message_counts');
    // As if so many had been sent that a page looks through one id.
    await bed.eventually(async () => {
      const own = { _id: message?.senderUserId ?? '', sent: 3 };
      expect(await counts.updateOne(own, { $set: { sent: 1_000_000 } })).toMatchObject({ modifiedCount: 1 });
    });
    const pages: number[][] = [];
    let next: string | undefined = `/api/messages/sent?q=${encodeURIComponent('الأولى')}${more}`;
    while (next !== undefined) {
      const { body, headers }: Answer = await call(next);
      pages.push((body as { id: number }[]).map(({ id }) => id));
      next = /^<(.+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
    }
    expect(pages.length).toBeGreaterThan(2);
    expect(pages.flat().sort((a, b) => a - b)).toEqual([first, last]);
  },
);

test('refuses a wrong start, time zone or list and names the field', async () => {
  for (const [path, field] of [
    ['/api/messages?start=yesterday', 'start'],
    ['/api/messages?start=2026-06-01', 'start'],
    ['/api/messages/sent?start=', 'start'],
    ['/api/messages/months?zone=Nowhere/Town', 'zone'],
    ['/api/messages/months?zone=', 'zone'],
    ['/api/messages/months?of=aside', 'of'],
  ] as const) {
    const { status, body } = await call(path);
    expect({ path, status, body }).toMatchObject({
      path,
      status: 422,
      body: { fields: { [field]: expect.any(String) } },
    });
  }
});
