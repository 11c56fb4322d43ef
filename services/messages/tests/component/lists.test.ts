// Long run: lists of many pages under changes.
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { PASSWORD, sharedBed, type Answer, type Bed, type BedAccount } from '@najwa/testing';
import fc from 'fast-check';

const RUNS = 12;

let bed: Bed;

beforeAll(async () => {
  bed = await sharedBed();
});

const newOwner = async (): Promise<number> => (await bed.newAccount()).id;

const send = async (owner: number): Promise<number> => (await bed.sendMessage(owner)).id;

/** Changes made while one page is read. */
interface Meanwhile {
  inserts: number;
  /** Positions in the initial inbox. */
  deletions: number[];
}

const meanwhile: fc.Arbitrary<Meanwhile> = fc.record({
  inserts: fc.nat({ max: 3 }),
  deletions: fc.array(fc.nat({ max: 30 }), { maxLength: 2 }),
});

const inboxes = fc.record({
  list: fc.constantFrom('received', 'unread', 'public'),
  sort: fc.constantFrom('newest' as const, 'oldest' as const),
  limit: fc.integer({ min: 1, max: 6 }),
  size: fc.integer({ min: 0, max: 14 }),
  changes: fc.array(meanwhile, { minLength: 1, maxLength: 8 }),
});

test('pages show every unchanged message once and in order despite concurrent changes', async () => {
  await fc.assert(
    fc.asyncProperty(inboxes, async ({ list, sort, limit, size, changes }) => {
      const owner = await newOwner();
      const identity = { userId: owner };
      const atFirst: number[] = [];
      const add = async (): Promise<number> => {
        const id = await send(owner);
        if (list === 'public')
          await bed.call('messages', 'PATCH', `/api/messages/${id}`, { identity, body: { isPublic: true } });
        return id;
      };
      for (let count = 0; count < size; count += 1) atFirst.push(await add());
      const deleted = new Set<number>();

      const apply = async ({ inserts, deletions }: Meanwhile): Promise<void> => {
        const ids = deletions.flatMap((place) => atFirst[place % Math.max(1, size)] ?? []);
        for (const id of ids) deleted.add(id);
        await Promise.all([
          ...Array.from({ length: inserts }, add),
          ...ids.map((id) => bed.call('messages', 'DELETE', `/api/messages/${id}`, { identity })),
        ]);
      };

      const query = `sort=${sort}&limit=${limit}${list === 'unread' ? '&filter=unread' : ''}`;
      const seen: number[] = [];
      let next: string | undefined =
        list === 'public' ? `/api/messages/public/${owner}?${query}` : `/api/messages?${query}`;
      for (let page = 0; next !== undefined; page += 1) {
        const [answer]: [Answer, void] = await Promise.all([
          bed.call('messages', 'GET', next, { identity }),
          apply(changes[page] ?? { inserts: 0, deletions: [] }),
        ]);
        seen.push(...(answer.body as { id: number }[]).map(({ id }) => id));
        next = /^<(.+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1];
      }

      const inOrder = [...new Set(seen)].sort((a, b) => (sort === 'newest' ? b - a : a - b));
      expect(seen).toEqual(inOrder);
      expect(seen).toEqual(expect.arrayContaining(atFirst.filter((id) => !deleted.has(id))));
    }),
    { numRuns: RUNS },
  );
});

/** Longer than what is read in one query. */
const LONG = 210;

test('a list longer than one range is complete in both orders, with every filter', async () => {
  const owner = await newOwner();
  const identity = { userId: owner };
  const ids: number[] = [];
  for (let place = 0; place < LONG; place += 10)
    ids.push(...(await Promise.all(Array.from({ length: 10 }, () => send(owner)))));
  ids.sort((a, b) => a - b);
  await Promise.all(
    ids
      .filter((_, place) => place % 7 === 0)
      .map((id) => bed.call('messages', 'PATCH', `/api/messages/${id}`, { identity, body: { isRead: true } })),
  );
  for (const [filter, belongs] of [
    ['all', () => true],
    ['unread', (place: number) => place % 7 !== 0],
    ['read', (place: number) => place % 7 === 0],
  ] as const)
    for (const sort of ['oldest', 'newest'] as const) {
      const expected = ids.filter((_, place) => belongs(place));
      const seen: number[] = [];
      for (let next: string | undefined = `/api/messages?filter=${filter}&sort=${sort}&limit=25`; next !== undefined;) {
        const answer: Answer = await bed.call('messages', 'GET', next, { identity });
        seen.push(...(answer.body as { id: number }[]).map(({ id }) => id));
        next = /^<(.+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1];
      }
      expect([filter, seen]).toEqual([filter, sort === 'oldest' ? expected : expected.toReversed()]);
    }
});

describe('a list', () => {
  let owner: BedAccount;
  let other: BedAccount;
  const asOwner = () => ({ identity: owner.identity });
  const idsIn = async (query: string): Promise<number[]> =>
    ((await bed.call('messages', 'GET', `/api/messages${query}`, asOwner())).body as { id: number }[]).map(
      ({ id }) => id,
    );

  beforeEach(async () => {
    [owner, other] = await Promise.all([bed.newAccount(), bed.newAccount()]);
  });

  test('filters messages by read state', async () => {
    const [first, second] = [
      await bed.sendMessage(owner.id, { content: 'first' }),
      await bed.sendMessage(owner.id, { content: 'second' }),
    ];
    await bed.call('messages', 'PATCH', `/api/messages/${first.id}`, {
      body: { isRead: true },
      ...asOwner(),
    });
    expect(await idsIn('?filter=read')).toEqual([first.id]);
    expect(await idsIn('?filter=unread')).toEqual([second.id]);
    expect((await bed.call('messages', 'GET', '/api/messages/stats', asOwner())).body).toEqual({
      received: 2,
      sent: 0,
      read: 1,
      unread: 1,
      toSelf: 0,
      wave: null,
    });
  });

  test('lists sent messages with their recipients', async () => {
    await bed.sendMessage(owner.id, { content: 'من حساب' }, { identity: other.identity });
    const answer = await bed.call('messages', 'GET', '/api/messages/sent', { identity: other.identity });
    expect(answer.body).toMatchObject([
      { content: 'من حساب', senderUserId: other.id, recipient: { username: owner.username } },
    ]);
  });

  test('filters sent messages by whether they were read', async () => {
    const asSender = { identity: other.identity };
    const [first, second] = [
      await bed.sendMessage(owner.id, { content: 'first' }, asSender),
      await bed.sendMessage(owner.id, { content: 'second' }, asSender),
    ];
    await bed.call('messages', 'PATCH', `/api/messages/${first.id}`, {
      body: { isRead: true },
      ...asOwner(),
    });
    for (const [filter, expected] of [
      ['read', [first.id]],
      ['unread', [second.id]],
      ['all', [second.id, first.id]],
    ] as const) {
      const answer = await bed.call('messages', 'GET', `/api/messages/sent?filter=${filter}`, asSender);
      expect((answer.body as { id: number }[]).map(({ id }) => id)).toEqual(expected);
    }
    expect(await bed.call('messages', 'GET', '/api/messages/sent?filter=mine', asSender)).toMatchObject({
      status: 422,
      body: { code: 'invalid_input', fields: { filter: 'not_a_choice' } },
    });
  });

  // Threat model: sender-8.
  test('hides read receipts from a sender if the recipient chose so', async () => {
    const asSender = { identity: other.identity };
    const content = 'read, but not told';
    const { id: first } = await bed.sendMessage(owner.id, { content }, asSender);
    const { id } = await bed.sendMessage(owner.id, { content }, asSender);
    const body = { readReceipts: false };
    await bed.call('messages', 'PATCH', '/api/users/receiving', { ...asOwner(), body });
    const look = async () => {
      const answers = ['all', 'read', 'unread'].map((filter) =>
        bed.call('messages', 'GET', `/api/messages/sent?filter=${filter}&limit=1`, asSender),
      );
      // A link to a next page would tell of messages in the list that the page leaves out.
      return (await Promise.all(answers)).map((answer) => [answer.body, answer.headers.get('link')]);
    };
    const before = await look();
    expect(before).toMatchObject([
      [[{ id, isRead: false }], expect.stringContaining(`before=${id}`)],
      [[], null],
      [[], null],
    ]);
    for (const read of [first, id])
      await bed.call('messages', 'PATCH', `/api/messages/${read}`, { ...asOwner(), body: { isRead: true } });
    expect(await look()).toEqual(before);
  });

  test('a list of read messages continues beyond many hidden ones', async () => {
    const sender = await bed.newAccount();
    const asSender = { identity: sender.identity };
    const read = async (to: { id: number; identity: object }): Promise<number> => {
      const { id } = await bed.sendMessage(to.id, {}, asSender);
      await bed.call('messages', 'PATCH', `/api/messages/${id}`, { identity: to.identity, body: { isRead: true } });
      return id;
    };
    const shown = await read(other);
    await bed.call('messages', 'PATCH', '/api/users/receiving', { ...asOwner(), body: { readReceipts: false } });
    for (let batch = 0; batch < 11; batch += 1) await Promise.all(Array.from({ length: 10 }, () => read(owner)));
    const answer = await bed.call('messages', 'GET', '/api/messages/sent?filter=read', asSender);
    expect((answer.body as { id: number }[]).map(({ id }) => id)).toEqual([shown]);
    expect(answer.headers.get('link')).toBeNull();
  });

  // Threat model: sender-8.
  test('hides read receipts of an account that is about to be deleted', async () => {
    const recipient = await bed.newAccount();
    const asRecipient = { identity: recipient.identity };
    const sender = await bed.newAccount();
    const { id } = await bed.sendMessage(recipient.id, {}, { identity: sender.identity });
    await bed.call('messages', 'PATCH', '/api/users/receiving', { ...asRecipient, body: { readReceipts: false } });
    await bed.call('messages', 'PATCH', `/api/messages/${id}`, { ...asRecipient, body: { isRead: true } });
    const asked = await bed.call('auth', 'POST', '/api/account/deletion', {
      ...asRecipient,
      body: { password: PASSWORD },
    });
    expect(asked.status).toBe(202);
    const sent = async (filter: string) =>
      (await bed.call('messages', 'GET', `/api/messages/sent?filter=${filter}`, { identity: sender.identity })).body;
    expect(await sent('all')).toMatchObject([{ id, isRead: false, recipient: null }]);
    expect([await sent('read'), await sent('unread')]).toEqual([[], []]);
  });

  test('refuses to list messages with wrong parameters', async () => {
    for (const query of [
      'limit=0',
      'limit=101',
      'limit=ten',
      'before=x',
      'before=-1',
      'sort=random',
      'filter=mine',
      'filter=read&filter=unread',
    ]) {
      const { status, body } = await bed.call('messages', 'GET', `/api/messages?${query}`, asOwner());
      expect([query, status, body]).toEqual([query, 422, expect.objectContaining({ code: 'invalid_input' })]);
    }
  });
});
