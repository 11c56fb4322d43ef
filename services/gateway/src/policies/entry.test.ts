import { clientScopes } from '@najwa/common/limits';
import { describe, expect, test } from '@jest/globals';
import { ORIGIN, runPolicy } from '../../tests/support/policy.js';
import { ConcurrencyLimit } from '../domain/concurrency-limit.js';
import { createSiteReader } from '../domain/sites.js';
import { createConcurrencyPolicy, createHostCheck, faultOfPath } from './entry.js';

describe('accepts a path that every router reads alike', () => {
  test.each([
    '/',
    '/m/layla',
    '/m/layla/',
    '/m/%D9%86%D8%AC%D9%88%D9%89',
    '/api/users/la.yla',
    '/api/users/..layla',
    '/api/messages?next=/../../x%2f',
    '/apiary',
    '/a/.well-known/b',
    '/m/a%20b',
  ])('%s', (path) => expect(faultOfPath(path)).toBeUndefined());
});

describe('a path that can be read in two ways is ambiguous', () => {
  test.each([
    '//api/user',
    '/api//user',
    '/api/../health/ready',
    '/api/./user',
    '/x/..',
    '/.',
    '/api/%2e%2e/metrics',
    '/api/%2E./metrics',
    '/api/users/a%2fb',
    '/api/users/a%2Fb',
    '/api/users/a%5cb',
    '/api\\user',
    '/API/user',
    '/Api',
    '/Health/live',
    '/METRICS',
    '/%61pi/user',
    '/%41PI/user',
    '/%68ealth/live',
    '/metric%73',
    '/api/users/%252e%252e%2fx',
  ])('%s', (path) => expect(faultOfPath(path)).toBe('ambiguous'));
});

describe('a path that cannot be decoded is malformed', () => {
  test.each([
    '',
    '*',
    'api/user',
    'http://elsewhere/api/user',
    '/api/users/%',
    '/api/users/%zz',
    '/api/users/%ff',
    '/api/users/%00',
    '/m/a%0d%0ab',
    '/m/a%7f',
    '/m/a#b',
  ])('%s', (path) => expect(faultOfPath(path)).toBe('malformed'));
});

describe('the host check', () => {
  const codeOf = async (hosts: string[], host: string) =>
    (
      (
        await runPolicy(createHostCheck({ siteOf: createSiteReader(hosts) }), {
          exchange: { origin: { ...ORIGIN, host } },
        })
      ).error as { code: string } | undefined
    )?.code;

  test.each(['najwa.example', 'Najwa.Example', 'najwa.example:8443', '[::1]:8080', '[::1]'])(
    'lets %s pass when it is configured',
    async (host) => expect(await codeOf(['najwa.example', '[::1]'], host)).toBeUndefined(),
  );

  test.each(['evil.example', '', 'najwa.example.evil.example', 'evil.example:443', '127.0.0.1'])(
    'refuses %p',
    async (host) => expect(await codeOf(['najwa.example'], host)).toBe('malformed'),
  );

  test('accepts every name when none is configured', async () =>
    expect(await codeOf([], 'anything.example')).toBeUndefined());
});

const from = (network: string) => ({
  exchange: { origin: { ...ORIGIN, network, scopes: clientScopes(network) } },
});

describe('concurrent requests', () => {
  test('concurrent requests are limited per network and in total, and release their slots', async () => {
    const policy = createConcurrencyPolicy({ requests: new ConcurrencyLimit({ total: 3, perKey: 2 }) });
    const run = (network: string) => runPolicy(policy, from(network));
    const first = await run('192.0.2.1');
    await run('192.0.2.1');
    expect((await run('192.0.2.1')).error).toMatchObject({ code: 'too_many_requests', retryAfter: 2 });
    await run('198.51.100.1');
    expect((await run('203.0.113.1')).error).toMatchObject({ code: 'unavailable', retryAfter: 2 });

    first.response.emit('close');
    first.response.emit('close');
    expect((await run('192.0.2.1')).error).toBeUndefined();
    expect((await run('203.0.113.1')).error).toMatchObject({ code: 'unavailable' });
  });

  test.each([
    ['a line has twice as many as a network', 2, (index: number) => `2001:db8::${index}:0:0:0:1`],
    ['a site of IPv6 four times as many', 4, (index: number) => `2001:db8:0:${index}00::1`],
    ['a site of IPv4 eight times as many', 8, (index: number) => `192.0.2.${index}`],
  ])('%s', async (_name, share, addressOf) => {
    const policy = createConcurrencyPolicy({ requests: new ConcurrencyLimit({ total: 1_000, perKey: 1 }) });
    const errors = [];
    for (let index = 1; index <= 9; index += 1) errors.push((await runPolicy(policy, from(addressOf(index)))).error);
    expect(errors.filter((error) => error === undefined)).toHaveLength(share);
  });

  test('a site has a quarter of all at most', async () => {
    const policy = createConcurrencyPolicy({ requests: new ConcurrencyLimit({ total: 12, perKey: 1 }) });
    const errors = [];
    for (let host = 1; host <= 4; host += 1) errors.push((await runPolicy(policy, from(`192.0.2.${host}`))).error);
    expect(errors.filter((error) => error === undefined)).toHaveLength(3);
  });
});
