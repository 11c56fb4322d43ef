import { describe, expect, test } from '@jest/globals';
import { runPolicy } from '../../tests/support/policy.js';
import { createVisitorPolicy } from './visitor.js';

const policy = createVisitorPolicy();
const COOKIE = 'najwa_visitor=AAAAAAAAAAAAAAAAAAAAAA';
const setCookie = (response: { getHeader(name: string): unknown }) => response.getHeader('set-cookie');

describe('a visitor with the cookie', () => {
  test('is the same one whatever the address, and the cookie is not told', async () => {
    const one = await runPolicy(policy, { headers: { cookie: `a=b; ${COOKIE}` } });
    const two = await runPolicy(policy, { method: 'POST', headers: { cookie: COOKIE, 'user-agent': 'other' } });
    expect(one.exchange.visitorId).toMatch(/^[\w-]{22}$/);
    expect(two.exchange.visitorId).toBe(one.exchange.visitorId);
    expect(COOKIE).not.toContain(one.exchange.visitorId);
    expect(setCookie(one.response)).toBeUndefined();
  });
});

describe('a visitor without the cookie', () => {
  test('gets it with a GET, and is known by it from then on', async () => {
    const first = await runPolicy(policy);
    const cookie = String(setCookie(first.response));
    expect(cookie).toMatch(
      /^najwa_visitor=[\w-]{22}; Max-Age=31536000; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/,
    );
    const next = await runPolicy(policy, { headers: { cookie: cookie.split(';')[0] ?? '' } });
    expect(next.exchange.visitorId).toBe(first.exchange.visitorId);
  });

  test('gets it without Secure on the loopback', async () => {
    const { response } = await runPolicy(policy, {
      exchange: { client: { address: '127.0.0.1', host: 'localhost:8080', protocol: 'http' } },
    });
    expect(String(setCookie(response))).not.toContain('Secure');
  });

  test.each([
    ['HEAD', {}],
    ['POST', {}],
    ['GET', { 'sec-fetch-dest': 'image' }],
    ['GET', { 'sec-fetch-dest': 'script' }],
  ] as const)('does not get it with a %s %j', async (method, headers) => {
    expect(setCookie((await runPolicy(policy, { method, headers })).response)).toBeUndefined();
  });

  test('is the same one when it repeats a submission', async () => {
    const submission = { method: 'POST', headers: { 'user-agent': 'browser' } };
    const [one, two, other] = [
      await runPolicy(policy, submission),
      await runPolicy(policy, submission),
      await runPolicy(policy, { method: 'POST', headers: { 'user-agent': 'another' } }),
    ];
    expect(two.exchange.visitorId).toBe(one.exchange.visitorId);
    expect(other.exchange.visitorId).not.toBe(one.exchange.visitorId);
  });

  test('is not taken for one by a cookie of another shape', async () => {
    const { exchange } = await runPolicy(policy, { method: 'POST', headers: { cookie: 'najwa_visitor=short' } });
    expect(exchange.visitorId).toBe((await runPolicy(policy, { method: 'POST' })).exchange.visitorId);
  });
});
