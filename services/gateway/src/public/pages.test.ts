import { afterEach, expect, jest, test } from '@jest/globals';
import { ORIGIN, runPolicy } from '../../tests/support/policy.js';
import { createSiteReader } from '../domain/sites.js';
import type { FetchContext, Source } from '../domain/tagged-cache.js';
import { publicAnswer, type PublicAnswer } from './answer.js';
import { createReadPage, findPage, type ReadPage } from './pages.js';
import { createPublicPage, type PublicPageDeps } from './serve.js';

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

/** The source of one account's page, whose rendering succeeds a given number of times. */
async function sourceOfPage(renderings: boolean[]): Promise<Source<PublicAnswer>> {
  const [profile, messages] = await Promise.all([answerOf({ id: 7 }), answerOf([])]);
  const kept: { source?: Source<PublicAnswer> } = {};
  const readPage = createReadPage({
    publicCache: {
      load: (_key, source) => {
        kept.source = source;
        return Promise.reject(new Error('The test fetches itself.'));
      },
    },
    readPublic: ({ operation }) =>
      Promise.resolve({ value: operation === 'getPublicUser' ? profile : messages, isStale: false }),
    pages: {
      version: () => '1',
      write: () => {
        const isRendered = renderings.shift() ?? false;
        const html = Buffer.from(isRendered ? 'rendered' : 'shell');
        return Promise.resolve({ html, headers: [], isRendered, version: '1' });
      },
    },
  });
  const reader = { language: 'ar', site: '192.0.2.0/24' } as const;
  const wanted = { origin: 'https://najwa.example', url: '/m/layla', username: 'layla', ...reader };
  await readPage(wanted, { requestId: 'request', span: undefined }).catch(() => undefined);
  if (kept.source === undefined) throw new Error('No page was asked for.');
  return kept.source;
}

test('leaves a page to the web client once its network has asked for too many that are not cached', async () => {
  const readPage = jest.fn<ReadPage>();
  const take = jest.fn((_network: string) => 1_000);
  const policy = createPublicPage({
    readPage,
    networks: { take },
    siteOf: createSiteReader([]),
  } as unknown as PublicPageDeps);
  const { error } = await runPolicy(policy, { url: '/m/a-made-up-name', exchange: { origin: ORIGIN } });
  expect(error).toBeUndefined();
  expect(take).toHaveBeenCalledWith(ORIGIN.network);
  expect(readPage).not.toHaveBeenCalled();
});

test('a page that cannot be rendered again in time stays as it was', async () => {
  const source = await sourceOfPage([true, false, true]);
  const freshFor = jest.fn<FetchContext<PublicAnswer>['freshFor']>();
  const context: FetchContext<PublicAnswer> = {
    request: undefined,
    known: undefined,
    nameTags: () => undefined,
    markStale: () => undefined,
    freshFor,
  };
  const first = await source.fetch(context);
  expect([String(first.plain.body), freshFor.mock.calls]).toEqual(['rendered', []]);

  jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 61_000);
  expect(await source.fetch({ ...context, known: first })).toBe(first);
  expect(freshFor.mock.calls).toEqual([[1_000]]);
  const renewed = await source.fetch({ ...context, known: first });
  expect([renewed === first, String(renewed.plain.body), freshFor.mock.calls.length]).toEqual([false, 'rendered', 1]);
});

test('finds a cached page by the question of its link, and one that is not the account’s without it', async () => {
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
  const stored = new Map([
    ['https://najwa.example/m/noura ar', plain],
    ['https://najwa.example/m/noura ar 5', asking],
  ]);
  const find = (url: string) =>
    findPage(url, 'https://najwa.example', undefined, (key) => {
      const answer = stored.get(key);
      return answer && { value: answer, isStale: false };
    })?.value;
  expect(find('/m/noura')).toBe(plain);
  expect(find('/m/noura?ask=5')).toBe(asking);
  // To be rendered.
  expect(find('/m/noura?ask=6')).toBeUndefined();
  expect(find('/m/noura?ask=7')).toBe(plain);
});
