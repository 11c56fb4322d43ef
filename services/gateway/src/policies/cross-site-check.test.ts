import type { AppError } from '@najwa/common';
import { describe, expect, test } from '@jest/globals';
import { runPolicy, type PolicyRequest } from '../../tests/support/policy.js';
import { createCrossSiteCheck } from './cross-site-check.js';

const check = createCrossSiteCheck({ uploadPaths: ['/api/audio/upload'] });
const OWN = { origin: 'https://najwa.example', 'content-type': 'application/json', 'content-length': '2' };

async function codeOf(request: PolicyRequest): Promise<string | undefined> {
  const { error } = await runPolicy(check, { method: 'POST', url: '/api/messages', ...request });
  return (error as AppError | undefined)?.code;
}

describe('a state change', () => {
  test.each<[string, Record<string, string>]>([
    ['from our own page', OWN],
    ['from our own page, with the usual port', { ...OWN, origin: 'https://najwa.example:443' }],
    [
      'from a program that says so',
      { 'x-requested-with': 'cli', 'content-type': 'application/json; charset=utf-8', 'content-length': '2' },
    ],
    ['without a body', { origin: 'https://najwa.example', 'content-length': '0' }],
  ])('%s passes', async (_title, headers) => expect(await codeOf({ headers })).toBeUndefined());

  test.each<[string, Record<string, string>]>([
    ['another site', { ...OWN, origin: 'https://evil.example' }],
    ['another port', { ...OWN, origin: 'https://najwa.example:8443' }],
    ['a name that begins like ours', { ...OWN, origin: 'https://najwa.example.evil.example' }],
    ['an origin that hides itself', { ...OWN, origin: 'null' }],
    ['what is no origin', { ...OWN, origin: 'najwa.example' }],
    ['another site, as the browser says', { ...OWN, 'sec-fetch-site': 'cross-site' }],
    ['nowhere', { 'content-type': 'application/json', 'content-length': '2' }],
    ['another site that claims to be a program', { ...OWN, origin: 'https://evil.example', 'x-requested-with': 'x' }],
  ])('from %s is refused', async (_title, headers) => expect(await codeOf({ headers })).toBe('cross_site'));

  test.each(['PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'])('with %s is one too', async (method) => {
    expect(await codeOf({ method, headers: { origin: 'https://evil.example' } })).toBe('cross_site');
  });

  test.each([
    'application/x-www-form-urlencoded',
    'text/plain',
    'text/plain;charset=UTF-8',
    'application/xml',
    'text/xml',
    'multipart/form-data; boundary=x',
    'image/png',
    '',
  ])('as %p is refused', async (type) => {
    expect(await codeOf({ headers: { ...OWN, 'content-type': type } })).toBe('unsupported_media_type');
  });

  test('with a body of no kind is refused', async () => {
    expect(await codeOf({ headers: { origin: 'https://najwa.example', 'content-length': '2' } })).toBe(
      'unsupported_media_type',
    );
    expect(await codeOf({ headers: { origin: 'https://najwa.example', 'transfer-encoding': 'chunked' } })).toBe(
      'unsupported_media_type',
    );
  });

  test('may be a form where files are taken', async () => {
    const headers = { ...OWN, 'content-type': 'multipart/form-data; boundary=x' };
    expect(await codeOf({ url: '/api/audio/upload?x=1', headers })).toBeUndefined();
    expect(await codeOf({ url: '/api/audio/upload/', headers })).toBe('unsupported_media_type');
  });
});

test.each(['GET', 'HEAD', 'OPTIONS'])('%s passes from anywhere', async (method) => {
  expect(
    await codeOf({ method, headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' } }),
  ).toBeUndefined();
});
