import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startGatewayBed, type GatewayBed } from '../support/bed.js';
import { answerAsWebClient } from '../support/web-client.js';

let bed: GatewayBed;
beforeAll(async () => {
  bed = await startGatewayBed();
  answerAsWebClient(bed.upstreams.web);
});
afterAll(() => bed.stop());

const follow = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await bed.fetch(path, { headers: { cookie: 'najwa_visitor=abcdefghijklmnopqrstuv', ...headers } });
  return [answer.status, answer.headers.get('location'), answer.headers.get('set-cookie')];
};
const cookieOf = (language: string) => `language=${language}; Max-Age=31536000; Path=/; SameSite=Lax`;

test.each(['/', '/about', '/auth', '/m/noura', '/r/abcdefghijklmnopqrstuv', '/no/such/page'])(
  'changes the language and shows %s again',
  async (path) => {
    expect(await follow(`${path}?language=en`)).toEqual([302, path, cookieOf('en')]);
    expect(await follow(`${path}?language=ar`)).toEqual([302, path, cookieOf('ar')]);
  },
);

test('keeps the query of the page that the link was on, and of no other', async () => {
  const from = (referer: string) => follow('/auth?language=en', { referer });
  expect(await from(`${bed.origin}/auth?tab=login`)).toEqual([302, '/auth?tab=login', cookieOf('en')]);
  expect(await from(`${bed.origin}/about?tab=login`)).toEqual([302, '/auth', cookieOf('en')]);
  expect(await from('https://evil.example/auth?tab=login')).toEqual([302, '/auth', cookieOf('en')]);
});

// Threat model: gateway-14.
test('a link of another site changes nothing', async () => {
  expect(await follow('/about?language=en', { 'sec-fetch-site': 'cross-site' })).toEqual([302, '/about', null]);
});

// Threat model: gateway-14.
test.each([
  '//evil.example?language=en',
  '/%5Cevil.example?language=en',
  '/about?language=fr',
  '/about?a=b&language=en',
])('%s leads nowhere', async (path) => {
  const [, location, cookie] = await follow(path);
  expect([location, cookie]).toEqual([null, null]);
});
