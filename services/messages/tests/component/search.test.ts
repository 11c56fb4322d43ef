import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sharedBed, type Answer, type Bed, type BedAccount } from '@najwa/testing';
import type { MessagesContext } from '../../src/context.js';
import { openReplica } from '../support/replica.js';

let bed: Bed;
let context: MessagesContext;
let owner: BedAccount;

beforeAll(async () => {
  bed = await sharedBed();
  context = await openReplica(bed);
  owner = await bed.newAccount();
});

afterAll(async () => {
  await context.database.close();
});

const as = ({ identity }: BedAccount, method: string, path: string, body?: unknown): Promise<Answer> =>
  bed.call('messages', method, path, { identity, ...(body !== undefined && { body }) });

const send = async (to: BedAccount, content: string, from?: BedAccount): Promise<number> =>
  (await bed.sendMessage(to.id, { content }, from && { identity: from.identity })).id;

async function search(account: BedAccount, q: string, more = '', path = '/api/messages'): Promise<number[]> {
  const found = await as(account, 'GET', `${path}?q=${encodeURIComponent(q)}${more}`);
  expect(found.status).toBe(200);
  return (found.body as { id: number }[]).map(({ id }) => id);
}

test('a search finds all words in any order, by their beginning and in any spelling', async () => {
  const [sea, both] = [await send(owner, 'على شاطئ البَحْرِ'), await send(owner, 'صـورةٌ من البحر الأحمر')];
  expect(await search(owner, 'بحر')).toEqual([both, sea]);
  expect(await search(owner, 'احمر صور')).toEqual([both]);
  expect(await search(owner, 'صورة جبل')).toEqual([]);
  expect(await search(owner, 'ورة')).toEqual([]);
  expect(await search(owner, '.*')).toEqual([]);
  expect(await search(owner, '')).toEqual([both, sea]);
});

test('a search stays within the own inbox, its filters, folders and pages', async () => {
  const [account, other] = [await bed.newAccount(), await bed.newAccount()];
  await send(other, 'قمر');
  const ids = [];
  for (let count = 0; count < 5; count += 1) ids.push(await send(account, `قمر ${count}`, other));
  const [first = 0, second = 0, third = 0, fourth = 0, fifth = 0] = ids;
  await as(account, 'PATCH', `/api/messages/${second}`, { isRead: true });
  expect(await search(account, 'القمر', '&filter=read')).toEqual([]);
  expect(await search(account, 'قمر', '&filter=read')).toEqual([second]);
  expect(await search(account, 'قمر', '&sort=oldest&limit=2')).toEqual([first, second]);
  expect(await search(account, 'قمر', `&limit=2&before=${fifth}`)).toEqual([fourth, third]);
  expect(await search(other, 'قمر', '', '/api/messages/sent')).toEqual(ids.toReversed());

  await as(account, 'PUT', '/api/filters', { words: ['قمر ٣'], lists: [] });
  expect(await search(account, 'قمر')).toEqual([fifth, third, second, first]);
  expect(await search(account, 'قمر', '&folder=aside')).toEqual([fourth]);

  const page = await as(account, 'GET', `/api/messages?q=${encodeURIComponent('قمر')}&limit=2`);
  expect(page.headers.get('link')).toContain(`q=${encodeURIComponent('قمر')}`);
  expect(await as(account, 'GET', `/api/messages?q=${'a'.repeat(101)}`)).toMatchObject({
    status: 422,
    body: { fields: { q: 'too_long' } },
  });
});

const storedWords = (words: string[], isIndexed: boolean) =>
  isIndexed ? { words } : { words: [''], unindexedWords: words };

/** A message of a long inbox, by its place: with its words in the index, or not. */
const INDEXED: Record<string, (index: number) => boolean> = {
  'with its words in the index': () => true,
  'with none in the index yet': () => false,
  'with some of them in the index': (index) => index % 2 === 0,
};

describe.each(Object.entries(INDEXED))('a long inbox %s', (_name, isIndexed) => {
  test('a search finds a rare word, and one with a common word, far down', async () => {
    const account = await bed.newAccount();
    const rare = await send(account, 'نادرة قديمة مشتركة');
    const among = 1_300;
    const stored = context.messages.collection;
    const {
      _id: _,
      unindexedWords: _words,
      ...template
    } = (await stored.findOne({ id: rare })) as Record<string, unknown>;
    // As the service stores them, except that they arrive at once.
    await send(account, 'مشتركة');
    const counter = await context.database.connection
      .collection<{ _id: string; value: number }>('counters')
      .findOneAndUpdate({ _id: 'messages' }, { $inc: { value: among } }, { returnDocument: 'after' });
    const first = (counter?.value ?? Number.NaN) - among + 1;
    await stored.insertMany(
      Array.from({ length: among }, (_, index) => ({
        ...template,
        id: first + index,
        content: index % 300 === 0 ? 'مشتركة متفرقة' : 'مشتركة',
        ...storedWords(index % 300 === 0 ? ['مشتركه', 'متفرقه'] : ['مشتركه'], isIndexed(index)),
        submission: { key: `search-${first + index}`, content: '' },
        outbox: [],
      })),
    );
    await bed.eventually(async () => {
      expect(await stored.countDocuments({ userId: account.id, 'outbox.at': { $gt: new Date(0) } })).toBe(0);
    });
    await context.database.connection
      .collection<{ _id: number }>('message_counts')
      .updateOne(
        { _id: account.id },
        { $set: { received: among + 2, 'receivedIds.last': first + among - 1 }, $inc: { version: 1 } },
      );
    expect(await search(account, 'نادرة')).toEqual([rare]);
    expect(await search(account, 'مشتركة نادرة')).toEqual([rare]);
    expect(await search(account, 'مشتركة متفرقة')).toEqual([1200, 900, 600, 300, 0].map((index) => first + index));
    expect(await search(account, 'مشتركة', '&limit=2')).toEqual([first + among - 1, first + among - 2]);
    expect(await search(account, 'مشتركة', '&sort=oldest&limit=1')).toEqual([rare]);

    // Its next message has the words of the others indexed.
    const reply = { messageId: first + 300, content: 'جوابٌ متفرق' };
    expect((await as(account, 'POST', '/api/replies', reply)).status).toBe(201);
    const scattered = [1200, 900, 600, 300, 0].map((index) => first + index);
    let sent = 0;
    await bed.eventually(async () => {
      await send(account, 'وصلت الآن');
      sent += 1;
      expect(await search(account, 'متفرقة')).toEqual(scattered);
      expect(await search(account, 'متفرق جواب')).toEqual([first + 300]);
      expect(await search(account, 'وصلت')).toHaveLength(Math.min(sent, 10));
      expect(await search(account, 'نادرة')).toEqual([rare]);
      expect(await stored.countDocuments({ userId: account.id, words: '' })).toBe(0);
    });
  });
});

test('a search takes at most eight words', async () => {
  const account = await bed.newAccount();
  const words = ['قمر', 'شمس', 'نجم', 'بحر', 'جبل', 'نهر', 'ريح', 'مطر'];
  const id = await send(account, words.join(' '));
  expect(await search(account, words.join(' '))).toEqual([id]);
  expect(await as(account, 'GET', `/api/messages?q=${encodeURIComponent([...words, 'ثلج'].join(' '))}`)).toMatchObject({
    status: 422,
    body: { code: 'invalid_input', fields: { q: 'too_long' } },
  });
});

test('a search finds a word after a conjunction, and an emoji alone', async () => {
  const [farm, happy] = [await send(owner, 'بيتٌ ومزرعة'), await send(owner, 'شكرًا👍🏽🎉')];
  expect(await search(owner, 'مزرعة')).toEqual([farm]);
  expect(await search(owner, '👍')).toEqual([happy]);
  expect(await search(owner, '🎉 شكرا')).toEqual([happy]);
  expect(await search(owner, '😀')).toEqual([]);
});

test('the indexed words of a message change with its reply and are deleted with it', async () => {
  const id = await send(owner, 'سؤال');
  await as(owner, 'POST', '/api/replies', { messageId: id, content: 'جواب' });
  expect(await search(owner, 'سؤال جواب')).toEqual([id]);
  await as(owner, 'POST', '/api/replies', { messageId: id, content: 'بديل' });
  expect([await search(owner, 'جواب'), await search(owner, 'بديل')]).toEqual([[], [id]]);
  await as(owner, 'DELETE', `/api/messages/${id}`);
  expect(await search(owner, 'بديل')).toEqual([]);
  expect((await context.messages.collection.findOne({ id }))?.['words'] ?? []).toEqual([]);
  const other = await send(owner, 'بلا جواب');
  await as(owner, 'DELETE', `/api/messages/${other}`);
  const deleted = await context.messages.collection.findOne({ id: other });
  expect([deleted?.['words'] ?? [], deleted?.['unindexedWords'] ?? []]).toEqual([[], []]);
});

test('no answer and no event contains the indexed words', async () => {
  const id = await send(owner, 'نجوم');
  const listed = await as(owner, 'GET', `/api/messages?q=${encodeURIComponent('نجوم')}`);
  expect(listed.body).toMatchObject([{ id }]);
  const changed = await as(owner, 'PATCH', `/api/messages/${id}`, { isPublic: true });
  const document = await context.messages.collection.findOne({ id });
  expect(document).toMatchObject({ words: [''], unindexedWords: ['نجوم'] });
  expect(JSON.stringify([listed.body, changed.body, document?.['outbox']])).not.toMatch(/words/i);
});
