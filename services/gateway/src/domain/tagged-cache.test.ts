import { describe, expect, test } from '@jest/globals';
import { publicAnswer, UNKNOWN_PROFILE, type PublicAnswer } from '../public/answer.js';
import { createPublicMemory, type Fill, type Found } from './tagged-cache.js';

const answerOf = (status: number, text: string, tags: string[]): Promise<PublicAnswer> =>
  publicAnswer({ operation: 'getPublicUser', status, headers: [], body: Buffer.from(text), tags });
const profile = (id: number, text = 'profile') => answerOf(200, text, [`profile/${id}`]);
const messages = (id: number, text = 'messages') => answerOf(200, text, [`messages/${id}`]);
const missing = () => answerOf(404, 'missing', [UNKNOWN_PROFILE]);

function setUp({ maxBytes = 1_000_000 }: { maxBytes?: number } = {}) {
  const state = { now: 0, isSubscribed: true };
  const memory = createPublicMemory({
    isSubscribed: () => state.isSubscribed,
    maxBytes,
    now: () => state.now,
  });
  const fetches: string[] = [];
  const load = (key: string, fetch: (fill: Fill) => Promise<PublicAnswer>, tags?: string[]) =>
    memory.load(key, { tags, fetch: (fill) => (fetches.push(key), fetch(fill)) }, undefined);
  const peek = (key: string) => textOf(memory.peek(key));
  return { state, memory, fetches, load, peek };
}

const textOf = (found: Found | undefined) => found && `${found.answer.plain.body}${found.isStale ? ' (stale)' : ''}`;

/** An answer that arrives when the test says so. */
function pending() {
  const parts: { arrive?: (answer: Promise<PublicAnswer>) => void; fail?: (error: Error) => void } = {};
  const promise = new Promise<PublicAnswer>((resolve, reject) => {
    parts.arrive = resolve;
    parts.fail = reject;
  });
  return { promise, ...(parts as Required<typeof parts>) };
}

const nextTurn = () => new Promise(setImmediate);
const away = () => Promise.reject(new Error('away'));

describe('a public answer', () => {
  test('is fetched once for a crowd, and then remembered', async () => {
    const { load, fetches, peek } = setUp();
    const crowd = await Promise.all(Array.from({ length: 100 }, () => load('a', () => profile(1))));
    expect(new Set(crowd.map(textOf))).toEqual(new Set(['profile']));
    expect([fetches, peek('a')]).toEqual([['a'], 'profile']);
  });

  test('is given once more when it is old, and renewed meanwhile', async () => {
    const { state, load, fetches, peek } = setUp();
    const texts = ['one', 'two'];
    await load('a', () => profile(1, texts.shift()));
    state.now = 5_001;
    expect([peek('a'), peek('a'), fetches.length]).toEqual(['one', 'one', 2]);
    await nextTurn();
    expect(peek('a')).toBe('two');
    state.now = 60_000;
    expect(peek('a')).toBeUndefined();
  });

  test('stays the same object when a renewal brings nothing new', async () => {
    const { state, load } = setUp();
    const { answer } = await load('a', () => profile(1));
    state.now = 60_000;
    expect((await load('a', () => profile(1))).answer).toBe(answer);
  });

  test('is given while its service is away, and marked', async () => {
    const { state, memory, load, fetches, peek } = setUp();
    let source = () => profile(1);
    await load('a', () => source());
    state.now = 60_000;
    source = away;
    expect(textOf(await load('a', () => source()))).toBe('profile (stale)');
    expect([peek('a'), memory.counts.stale, fetches.length]).toEqual(['profile (stale)', 1, 2]);

    state.now = 61_001;
    source = () => answerOf(503, 'fault', []);
    expect(peek('a')).toBe('profile (stale)');
    await nextTurn();
    state.now = 62_002;
    source = () => profile(1);
    expect([peek('a'), fetches.length]).toEqual(['profile (stale)', 4]);
    await nextTurn();
    expect(peek('a')).toBe('profile');
  });

  test('is given while its service is slow', async () => {
    const { state, load } = setUp();
    const never = () => new Promise<never>(() => undefined);
    await load('a', () => profile(1));
    state.now = 60_000;
    expect(textOf(await load('a', never))).toBe('profile');
  });

  test('is renewed before it is given when changes may have been missed', async () => {
    const { state, memory, load, peek } = setUp();
    await load('a', () => profile(1));
    state.isSubscribed = false;
    memory.doubt();
    expect(peek('a')).toBeUndefined();
    expect(textOf(await load('a', () => profile(1, 'renewed')))).toBe('renewed');
    state.now = 1_001;
    expect(peek('a')).toBeUndefined();
    expect(textOf(await load('a', away))).toBe('renewed (stale)');
  });

  test('is renewed before it is given while a broker hangs that was there when it was stored', async () => {
    const { state, load, fetches, peek } = setUp();
    await load('a', () => profile(1));
    state.isSubscribed = false;
    state.now = 999;
    expect(peek('a')).toBe('profile');
    state.now = 1_000;
    expect([peek('a'), fetches.length]).toEqual([undefined, 1]);
    expect(textOf(await load('a', () => profile(1, 'renewed')))).toBe('renewed');
  });

  test('from while its service was away is renewed before it is given when changes may have been missed', async () => {
    const { state, memory, load, peek } = setUp();
    let source = () => profile(1);
    await load('a', () => source());
    state.now = 60_000;
    source = away;
    expect(textOf(await load('a', () => source()))).toBe('profile (stale)');
    memory.doubt();
    expect(peek('a')).toBeUndefined();
    expect(textOf(await load('a', () => source()))).toBe('profile (stale)');
    expect(peek('a')).toBe('profile (stale)');

    memory.doubt();
    source = () => profile(1, 'changed');
    expect(peek('a')).toBeUndefined();
    expect(textOf(await load('a', () => source()))).toBe('changed');
  });

  test.each([
    ['a fault', () => answerOf(500, 'x', [])],
    ['a refusal', () => answerOf(422, 'x', [])],
  ])('is not remembered if it is %s', async (_title, fetch) => {
    const { load, peek } = setUp();
    await load('a', fetch);
    expect(peek('a')).toBeUndefined();
  });

  test('about a missing account is remembered for a second', async () => {
    const { state, load, peek } = setUp();
    await load('a', missing);
    state.now = 999;
    expect(peek('a')).toBe('missing');
    state.now = 1_001;
    expect(peek('a')).toBeUndefined();
  });
});

describe('a change', () => {
  test('drops what it is about, and nothing else', async () => {
    const { memory, load, peek } = setUp();
    const keys = ['layla', 'omar', 'nobody', 'of layla', 'more of layla', 'of 77'];
    await load('layla', () => profile(7));
    await load('omar', () => profile(8));
    await load('nobody', missing);
    for (const key of ['of layla', 'more of layla']) await load(key, () => messages(7));
    await load('of 77', () => messages(77));
    const left = () => keys.filter((key) => peek(key) !== undefined);

    memory.profileChanged(7);
    expect(left()).toEqual(['omar', 'of layla', 'more of layla', 'of 77']);
    memory.messagesChanged(7);
    expect(left()).toEqual(['omar', 'of 77']);
    await load('nobody', missing);
    memory.profileCreated();
    expect(left()).toEqual(['omar', 'of 77']);
  });

  test('is never overwritten by a fetch that began before it', async () => {
    const { memory, load, peek } = setUp();
    const [old, other, fresh] = [pending(), pending(), pending()];
    const first = load('a', () => old.promise);
    const unrelated = load('b', () => other.promise);
    memory.profileChanged(1);
    // A caller that asks now does not share the fetch under way.
    const second = load('a', () => fresh.promise);
    fresh.arrive(profile(1, 'new'));
    expect(textOf(await second)).toBe('new');
    old.arrive(profile(1, 'old'));
    other.arrive(profile(2, 'other'));
    expect([textOf(await first), textOf(await unrelated)]).toEqual(['old', 'other']);
    expect([peek('a'), peek('b')]).toEqual(['new', 'other']);
  });

  test('leaves a fetch alone whose tags say that it is about something else', async () => {
    const { memory, load, fetches } = setUp();
    const page = pending();
    const loading = load('page', (fill) => {
      fill.concern(['profile/1', 'messages/1']);
      return page.promise;
    });
    memory.messagesChanged(2);
    const shared = load('page', () => page.promise);
    expect(fetches).toEqual(['page']);
    memory.messagesChanged(1);
    const own = load('page', () => page.promise);
    expect(fetches).toEqual(['page', 'page']);
    page.arrive(profile(1));
    await Promise.all([loading, shared, own]);
  });

  test('that may have been missed keeps fetches under way out of the memory', async () => {
    const { memory, load, peek } = setUp();
    const old = pending();
    const first = load('a', () => old.promise);
    memory.doubt();
    old.arrive(profile(1));
    await first;
    expect(peek('a')).toBeUndefined();
  });

  test('that a fetch notices is not undone by an earlier fetch', async () => {
    const { state, memory, load, peek } = setUp();
    const [slow, quick] = [pending(), pending()];
    const first = load('a', () => slow.promise, ['profile/1']);
    memory.profileChanged(1);
    const second = load('a', () => quick.promise, ['profile/1']);
    quick.arrive(answerOf(200, 'new', ['other']));
    await second;
    slow.arrive(answerOf(200, 'old', ['other']));
    await first;
    state.now = 1;
    expect(peek('a')).toBe('new');
  });
});

test('the bound in bytes holds, and what was used last stays', async () => {
  const { memory, load, peek } = setUp({ maxBytes: 50_000 });
  for (let id = 0; id < 100; id += 1) {
    await load(`key ${id}`, () => profile(id));
    peek('key 0');
  }
  expect(memory.size()).toBeLessThanOrEqual(50_000);
  expect([peek('key 0'), peek('key 99'), peek('key 50')]).toEqual(['profile', 'profile', undefined]);
});
