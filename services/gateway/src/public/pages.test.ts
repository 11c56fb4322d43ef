import { afterEach, expect, jest, test } from '@jest/globals';
import { ORIGIN, runPolicy } from '../../tests/support/policy.js';
import { publicAnswer } from './answer.js';
import type { Fill, Source } from '../domain/tagged-cache.js';
import { createSiteReader } from '../domain/sites.js';
import { createPublicPage, findPage, type PublicPageDeps } from './pages.js';

afterEach(() => {
  jest.restoreAllMocks();
});

const answerOf = (body: object) =>
  publicAnswer({
    operation: 'getPublicUser',
    status: 200,
    headers: [],
    body: Buffer.from(JSON.stringify(body)),
    tags: ['profile/7'],
    visited: 7,
  });

/** The source of one account's page, whose rendering succeeds as often as told. */
async function sourceOfPage(renderings: boolean[]): Promise<Source> {
  const [profile, messages] = await Promise.all([answerOf({ id: 7 }), answerOf([])]);
  const kept: { source?: Source } = {};
  const deps: PublicPageDeps = {
    memory: {
      load: (_key, source) => {
        kept.source = source;
        return Promise.reject(new Error('The test fetches itself.'));
      },
    },
    readPublic: ({ operation }) =>
      Promise.resolve({ answer: operation === 'getPublicUser' ? profile : messages, isStale: false }),
    pages: {
      version: () => '1',
      write: () => {
        const isRendered = renderings.shift() ?? false;
        return Promise.resolve({
          html: Buffer.from(isRendered ? 'rendered' : 'shell'),
          headers: [],
          isRendered,
          version: '1',
        });
      },
      writeWayBack: () => Promise.resolve(undefined),
      writeSignIn: () => Promise.resolve(undefined),
      start: () => undefined,
      stop: () => Promise.resolve(),
    },
    visits: { note: () => undefined },
    networks: { take: () => 0 },
    siteOf: createSiteReader([]),
  };
  await runPolicy(createPublicPage(deps), { url: '/m/layla', exchange: { origin: ORIGIN } });
  if (kept.source === undefined) throw new Error('No page was asked for.');
  return kept.source;
}

test('leaves a page to the web client once its network has asked for too many that are not remembered', async () => {
  const load = jest.fn<PublicPageDeps['memory']['load']>();
  const take = jest.fn((_network: string) => 1_000);
  const policy = createPublicPage({
    memory: { load },
    networks: { take },
    siteOf: createSiteReader([]),
  } as unknown as PublicPageDeps);
  const { error } = await runPolicy(policy, { url: '/m/a-made-up-name', exchange: { origin: ORIGIN } });
  expect(error).toBeUndefined();
  expect(take).toHaveBeenCalledWith(ORIGIN.network);
  expect(load).not.toHaveBeenCalled();
});

test('a page that cannot be rendered again in time stays as it was', async () => {
  const source = await sourceOfPage([true, false, true]);
  const freshFor = jest.fn<Fill['freshFor']>();
  const fill: Fill = {
    cause: undefined,
    known: undefined,
    concern: () => undefined,
    markStale: () => undefined,
    freshFor,
  };
  const first = await source.fetch(fill);
  expect([String(first.plain.body), freshFor.mock.calls]).toEqual(['rendered', []]);

  jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 61_000);
  expect(await source.fetch({ ...fill, known: first })).toBe(first);
  expect(freshFor.mock.calls).toEqual([[1_000]]);
  const renewed = await source.fetch({ ...fill, known: first });
  expect([renewed === first, String(renewed.plain.body), freshFor.mock.calls.length]).toEqual([false, 'rendered', 1]);
});

test('finds a remembered page by the question of its link, and one that is not the account’s without it', async () => {
  const [plain, asking] = await Promise.all([
    publicAnswer({
      operation: 'publicPage',
      status: 200,
      headers: [],
      body: Buffer.from('a'),
      tags: [],
      prompts: [5, 6],
    }),
    publicAnswer({
      operation: 'publicPage',
      status: 200,
      headers: [],
      body: Buffer.from('b'),
      tags: [],
      prompts: [5, 6],
    }),
  ]);
  const remembered = new Map([
    ['https://najwa.example/m/noura ar', plain],
    ['https://najwa.example/m/noura ar 5', asking],
  ]);
  const find = (url: string) =>
    findPage(url, 'https://najwa.example', undefined, (key) => {
      const answer = remembered.get(key);
      return answer && { answer, isStale: false };
    })?.answer;
  expect(find('/m/noura')).toBe(plain);
  expect(find('/m/noura?ask=5')).toBe(asking);
  // To be rendered.
  expect(find('/m/noura?ask=6')).toBeUndefined();
  expect(find('/m/noura?ask=7')).toBe(plain);
});
