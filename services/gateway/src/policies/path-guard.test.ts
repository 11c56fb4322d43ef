import { describe, expect, test } from '@jest/globals';
import { faultOfPath } from './path-guard.js';

describe('a path that everybody reads alike passes', () => {
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
