import { describe, expect, test } from '@jest/globals';
import { publicAnswer, type CachedAnswer, type PublicAnswer } from '../public/answer.js';
import { createPublicCache, UNKNOWN_PROFILE } from '../public/reads.js';
import { TaggedCache, type FetchContext } from './tagged-cache.js';

const answerOf = (status: number, text: string, tags: string[]): Promise<PublicAnswer> =>
  publicAnswer({ operation: 'getPublicUser', status, headers: [], body: Buffer.from(text), tags });
const profile = (id: number, text = 'profile') => answerOf(200, text, [`profile/${id}`]);
const messages = (id: number, text = 'messages') => answerOf(200, text, [`messages/${id}`]);
const missing = () => answerOf(404, 'missing', [UNKNOWN_PROFILE]);

function setUp({ maxBytes = 1_000_000 }: { maxBytes?: number } = {}) {
  const state = { now: 0, isSubscribed: true };
  const cache = createPublicCache({
    isSubscribed: () => state.isSubscribed,
    maxBytes,
    now: () => state.now,
  });
  const fetches: string[] = [];
  const load = (key: string, fetch: (context: FetchContext<PublicAnswer>) => Promise<PublicAnswer>, tags?: string[]) =>
    cache.load(key, { tags, fetch: (context) => (fetches.push(key), fetch(context)) });
  const peek = (key: string) => textOf(cache.peek(key));
  return { state, cache, fetches, load, peek };
}

const textOf = (cached: CachedAnswer | undefined) =>
  cached && `${cached.value.plain.body}${cached.isStale ? ' (stale)' : ''}`;

/** The test decides when it arrives. */
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
  test('a cached answer is fetched once for a crowd', async () => {
    const { load, fetches, peek } = setUp();
    const crowd = await Promise.all(Array.from({ length: 100 }, () => load('a', () => profile(1))));
    expect(new Set(crowd.map(textOf))).toEqual(new Set(['profile']));
    expect([fetches, peek('a')]).toEqual([['a'], 'profile']);
  });

  test('a stale answer is given once more, and renewed meanwhile', async () => {
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

  test('a cached answer stays the same object when a renewal brings nothing new', async () => {
    const { state, load } = setUp();
    const { value } = await load('a', () => profile(1));
    state.now = 60_000;
    expect((await load('a', () => profile(1))).value).toBe(value);
  });

  test('a cached answer is given while its service is away, and marked', async () => {
    const { state, cache, load, fetches, peek } = setUp();
    let source = () => profile(1);
    await load('a', () => source());
    state.now = 60_000;
    source = away;
    expect(textOf(await load('a', () => source()))).toBe('profile (stale)');
    expect([peek('a'), cache.counts.stale, fetches.length]).toEqual(['profile (stale)', 1, 2]);

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

  test('a cached answer is given while its service is slow', async () => {
    const { state, load } = setUp();
    const never = () => new Promise<never>(() => undefined);
    await load('a', () => profile(1));
    state.now = 60_000;
    expect(textOf(await load('a', never))).toBe('profile');
  });

  test('a cached answer is renewed before it is given when changes may have been missed', async () => {
    const { state, cache, load, peek } = setUp();
    await load('a', () => profile(1));
    state.isSubscribed = false;
    cache.invalidateAll();
    expect(peek('a')).toBeUndefined();
    expect(textOf(await load('a', () => profile(1, 'renewed')))).toBe('renewed');
    state.now = 1_001;
    expect(peek('a')).toBeUndefined();
    expect(textOf(await load('a', away))).toBe('renewed (stale)');
  });

  test('a cached answer is renewed before it is given while a broker hangs that was there when it was stored', async () => {
    const { state, load, fetches, peek } = setUp();
    await load('a', () => profile(1));
    state.isSubscribed = false;
    state.now = 999;
    expect(peek('a')).toBe('profile');
    state.now = 1_000;
    expect([peek('a'), fetches.length]).toEqual([undefined, 1]);
    expect(textOf(await load('a', () => profile(1, 'renewed')))).toBe('renewed');
  });

  test('an answer from an outage is renewed before it is given when changes may have been missed', async () => {
    const { state, cache, load, peek } = setUp();
    let source = () => profile(1);
    await load('a', () => source());
    state.now = 60_000;
    source = away;
    expect(textOf(await load('a', () => source()))).toBe('profile (stale)');
    cache.invalidateAll();
    expect(peek('a')).toBeUndefined();
    expect(textOf(await load('a', () => source()))).toBe('profile (stale)');
    expect(peek('a')).toBe('profile (stale)');

    cache.invalidateAll();
    source = () => profile(1, 'changed');
    expect(peek('a')).toBeUndefined();
    expect(textOf(await load('a', () => source()))).toBe('changed');
  });

  test.each([
    ['a fault', () => answerOf(500, 'x', [])],
    ['a refusal', () => answerOf(422, 'x', [])],
  ])('an answer is not cached if it is %s', async (_title, fetch) => {
    const { load, peek } = setUp();
    await load('a', fetch);
    expect(peek('a')).toBeUndefined();
  });

  test('about a missing account is cached for a second', async () => {
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
    const { cache, load, peek } = setUp();
    const keys = ['layla', 'omar', 'nobody', 'of layla', 'more of layla', 'of 77'];
    await load('layla', () => profile(7));
    await load('omar', () => profile(8));
    await load('nobody', missing);
    for (const key of ['of layla', 'more of layla']) await load(key, () => messages(7));
    await load('of 77', () => messages(77));
    const left = () => keys.filter((key) => peek(key) !== undefined);

    cache.drop('profile/7');
    cache.drop(UNKNOWN_PROFILE);
    expect(left()).toEqual(['omar', 'of layla', 'more of layla', 'of 77']);
    cache.drop('messages/7');
    expect(left()).toEqual(['omar', 'of 77']);
    await load('nobody', missing);
    cache.drop(UNKNOWN_PROFILE);
    expect(left()).toEqual(['omar', 'of 77']);
  });

  test('a change is never overwritten by a fetch that began before it', async () => {
    const { cache, load, peek } = setUp();
    const [old, other, fresh] = [pending(), pending(), pending()];
    const first = load('a', () => old.promise);
    const unrelated = load('b', () => other.promise);
    cache.drop('profile/1');
    // A later caller does not share the fetch under way.
    const second = load('a', () => fresh.promise);
    fresh.arrive(profile(1, 'new'));
    expect(textOf(await second)).toBe('new');
    old.arrive(profile(1, 'old'));
    other.arrive(profile(2, 'other'));
    expect([textOf(await first), textOf(await unrelated)]).toEqual(['old', 'other']);
    expect([peek('a'), peek('b')]).toEqual(['new', 'other']);
  });

  test('a change leaves a fetch alone whose tags say that it is about something else', async () => {
    const { cache, load, fetches } = setUp();
    const page = pending();
    const loading = load('page', ({ nameTags }) => {
      nameTags(['profile/1', 'messages/1']);
      return page.promise;
    });
    cache.drop('messages/2');
    const shared = load('page', () => page.promise);
    expect(fetches).toEqual(['page']);
    cache.drop('messages/1');
    const own = load('page', () => page.promise);
    expect(fetches).toEqual(['page', 'page']);
    page.arrive(profile(1));
    await Promise.all([loading, shared, own]);
  });

  test('a change that may have been missed keeps fetches under way out of the cache', async () => {
    const { cache, load, peek } = setUp();
    const old = pending();
    const first = load('a', () => old.promise);
    cache.invalidateAll();
    old.arrive(profile(1));
    await first;
    expect(peek('a')).toBeUndefined();
  });

  test('a change that a fetch notices is not undone by an earlier fetch', async () => {
    const { state, cache, load, peek } = setUp();
    const [slow, quick] = [pending(), pending()];
    const first = load('a', () => slow.promise, ['profile/1']);
    cache.drop('profile/1');
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
  const { cache, load, peek } = setUp({ maxBytes: 50_000 });
  for (let id = 0; id < 100; id += 1) {
    await load(`key ${id}`, () => profile(id));
    peek('key 0');
  }
  expect(cache.size()).toBeLessThanOrEqual(50_000);
  expect([peek('key 0'), peek('key 99'), peek('key 50')]).toEqual(['profile', 'profile', undefined]);
});

describe('a value without a time for which it may be stale', () => {
  function setUpPlain(freshMs = 100) {
    const clock = { now: 0 };
    const cache = new TaggedCache<string>({
      maxSize: 4,
      sizeOf: (value) => value.length,
      tagsOf: (value, key) => [key, `value ${value}`],
      lifetimeOf: () => ({ freshMs }),
      now: () => clock.now,
    });
    const load = async (key: string, value: string | Error) =>
      (
        await cache.load(key, {
          fetch: () => (value instanceof Error ? Promise.reject(value) : Promise.resolve(value)),
        })
      ).value;
    const peek = (...keys: string[]) => keys.map((key) => cache.peek(key)?.value);
    return { clock, cache, load, peek };
  }

  test('expires, and is not given in place of a failure', async () => {
    const { clock, load, peek } = setUpPlain();
    await load('key', 'a');
    clock.now = 99;
    expect(peek('key')).toEqual(['a']);
    clock.now = 100;
    expect(peek('key')).toEqual([undefined]);
    await expect(load('key', new Error('away'))).rejects.toThrow('away');
    expect(await load('key', 'b')).toBe('b');
  });

  test('a value is not stored if its lifetime is over at once', async () => {
    const { load, peek } = setUpPlain(0);
    await load('key', 'a');
    expect(peek('key')).toEqual([undefined]);
  });

  test('a value is dropped by any of its tags', async () => {
    const { cache, load, peek } = setUpPlain();
    await load('one', 'x');
    await load('two', 'x');
    await load('three', 'y');
    cache.drop('value x');
    expect(peek('one', 'two', 'three')).toEqual([undefined, undefined, 'y']);
    cache.drop('three');
    expect(peek('three')).toEqual([undefined]);
  });

  test('a value leaves the cache when it has expired, and when others need its place', async () => {
    const { clock, cache, load, peek } = setUpPlain();
    await load('one', 'aa');
    await load('two', 'bb');
    cache.peek('one');
    await load('three', 'cc');
    await load('large', 'ddddd');
    expect(peek('one', 'two', 'three', 'large')).toEqual(['aa', undefined, 'cc', undefined]);
    clock.now = 100;
    await load('four', 'd');
    expect(cache.size()).toBe(1);
  });
});
