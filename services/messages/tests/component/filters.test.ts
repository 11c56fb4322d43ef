import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sharedBed, type Answer, type Bed, type BedAccount } from '@najwa/testing';

let bed: Bed;
let owner: BedAccount;

beforeAll(async () => {
  bed = await sharedBed();
});

beforeEach(async () => {
  owner = await bed.newAccount();
});

const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
  bed.call('messages', method, path, { identity: owner.identity, ...(body !== undefined && { body }) });

const filter = (words: string[], lists: string[] = []) => call('PUT', '/api/filters', { words, lists });

const list = async (path: string) =>
  (await call('GET', path)).body as { content: string; reason?: string; matched?: string }[];

const contents = async (path: string): Promise<string[]> => (await list(path)).map(({ content }) => content);

describe('the filters of an account', () => {
  test('filters are empty at first and are replaced as a whole', async () => {
    expect((await call('GET', '/api/filters')).body).toEqual({ words: [], lists: [] });
    await filter([' وزنك ', 'كم عمرك', 'وزنك'], ['insults', 'insults']);
    expect((await call('GET', '/api/filters')).body).toEqual({ words: ['وزنك', 'كم عمرك'], lists: ['insults'] });
    expect((await filter(['هدية'])).body).toEqual({ words: ['هدية'], lists: [], setAside: 0 });
  });

  test('filters are added and removed by two devices without conflicts', async () => {
    await filter(['سر', 'هدية'], ['insults']);
    const change = (body: unknown) => call('PATCH', '/api/filters', body);
    // Both devices have read the same list.
    await Promise.all([
      change({ words: { add: ['موعد'], remove: ['سر'] } }),
      change({ words: { add: ['رقم'] } }),
      change({ lists: { add: ['scams'], remove: ['insults'] } }),
    ]);
    const { words, lists } = (await call('GET', '/api/filters')).body as { words: string[]; lists: string[] };
    expect([[...words].sort(), lists]).toEqual([['رقم', 'موعد', 'هدية'], ['scams']]);
    await bed.sendMessage(owner.id, { content: 'كلمة جديدة' });
    expect((await change({ words: { add: ['جديدة', 'رقم'], remove: ['لا شيء'] } })).body).toEqual({
      words: [...words, 'جديدة'],
      lists,
      setAside: 1,
    });
  });

  test.each<[unknown, string]>([
    [{}, 'body'],
    [{ words: {} }, 'words'],
    [{ words: { add: ['و'] } }, 'words.add.0'],
    [{ lists: { remove: ['jokes'] } }, 'lists.remove.0'],
    [{ words: { add: Array.from({ length: 100 }, (_, index) => `word ${index}`) } }, 'words.add'],
  ])('refuses the change of filters %j', async (change, field) => {
    await filter(['قديمة']);
    const answer = await call('PATCH', '/api/filters', change);
    expect([answer.status, answer.body]).toMatchObject([422, { fields: { [field]: expect.any(String) } }]);
    expect((await call('GET', '/api/filters')).body).toEqual({ words: ['قديمة'], lists: [] });
  });

  test('a pasted list becomes separate filter words', async () => {
    const pasted = 'هدية، جائزة مالية,\tفوز؛ win;\r\n، prize\vwin';
    const words = ['هدية', 'جائزة مالية', 'فوز', 'win', 'prize'];
    expect((await filter([pasted])).body).toEqual({ words, lists: [], setAside: 0 });
    await filter([]);
    expect((await call('PATCH', '/api/filters', { words: { add: [pasted] } })).body).toMatchObject({ words });
    expect((await filter(['سر، و'])).body).toMatchObject({ fields: { 'words.0': 'too_short' } });
    expect((await filter(['سر', '،,'])).body).toMatchObject({ fields: { 'words.1': 'required' } });
  });

  test.each<[string, string[], string[], string]>([
    ['a word of one letter', ['و'], [], 'words.0'],
    ['a word above 50 characters', ['جيد', 'ن'.repeat(51)], [], 'words.1'],
    ['a word without letters', ['!!!'], [], 'words.0'],
    ['more than 100 words', Array.from({ length: 101 }, (_, index) => `word ${index}`), [], 'words'],
    ['a list that there is not', [], ['jokes'], 'lists.0'],
  ])('refuses filters with %s', async (_what, words, lists, field) => {
    const answer = await filter(words, lists);
    expect([answer.status, answer.body]).toMatchObject([422, { fields: { [field]: expect.any(String) } }]);
  });
});

describe('a message with a filtered word', () => {
  test("a filtered message is set aside in any spelling, with the owner's word", async () => {
    await filter(['وَزْنُك', 'stupid']);
    const hits = ['كم وزنـــك؟', 'ووزنك أيضًا', 'و ز ن ك', 'you are stuuuupid', 'ѕtuрid', 's.t.u.p.i.d'];
    const others = ['توازنك جميل', 'the stupidity of it'];
    for (const content of [...hits, ...others]) await bed.sendMessage(owner.id, { content });
    expect(await contents('/api/messages?sort=oldest')).toEqual(others);
    expect(await contents('/api/messages?folder=aside&sort=oldest')).toEqual(hits);
    expect(
      new Set((await list('/api/messages?folder=aside')).map(({ reason, matched }) => `${reason} ${matched}`)),
    ).toEqual(new Set(['filtered وَزْنُك', 'filtered stupid']));
  });

  test('a message filtered by a ready list shows the list, not the word', async () => {
    await filter([], ['insults', 'scams']);
    await bed.sendMessage(owner.id, { content: 'يا كـلـب' });
    await bed.sendMessage(owner.id, { content: 'You have won! Claim your prize' });
    expect(await list('/api/messages?folder=aside&sort=oldest')).toMatchObject([
      { reason: 'filtered', matched: 'insults' },
      { reason: 'filtered', matched: 'scams' },
    ]);
  });

  test('a waiting message is set aside when its word is added, unless read or published', async () => {
    const sent = [];
    for (const content of ['سرّ قديم', 'سر ثانٍ', 'سر منشور', 'سر مقروء', 'كلام آخر'])
      sent.push(await bed.sendMessage(owner.id, { content }));
    await call('PATCH', `/api/messages/${sent[2]?.id ?? 0}`, { isPublic: true });
    await call('PATCH', `/api/messages/${sent[3]?.id ?? 0}`, { isRead: true });
    expect((await filter(['سر'])).body).toMatchObject({ setAside: 2 });
    expect(await contents('/api/messages?sort=oldest')).toEqual(['سر منشور', 'سر مقروء', 'كلام آخر']);
    expect((await call('GET', '/api/messages/stats')).body).toMatchObject({ received: 3, unread: 2 });
    expect((await filter(['سر', 'غير ذلك'])).body).toMatchObject({ setAside: 0 });
  });

  test('a waiting message is filtered beyond the first page', async () => {
    for (let index = 0; index < 210; index += 30)
      await Promise.all(
        Array.from({ length: 30 }, (_, offset) =>
          bed.sendMessage(owner.id, { content: (index + offset) % 3 === 0 ? 'gift' : 'word' }),
        ),
      );
    expect((await filter(['gift'])).body).toMatchObject({ setAside: 70 });
    expect((await call('GET', '/api/messages/stats')).body).toMatchObject({ received: 140 });
  });
});
