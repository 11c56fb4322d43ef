import { expect, test } from '@jest/globals';
import { mergeNeeds } from './needs.js';

test('a shared system has the settings of all', () => {
  const needs = new Map([
    ['soak', { env: { TRUSTED_PROXIES: '127.0.0.1' }, collects: true }],
    ['login', {}],
    ['fuzz', { env: { LOG_LEVEL: 'error', TRUSTED_PROXIES: '127.0.0.1' } }],
  ]);
  expect(mergeNeeds(needs)).toEqual({
    env: { TRUSTED_PROXIES: '127.0.0.1', LOG_LEVEL: 'error' },
    collects: true,
    watchesLoops: false,
  });
});

test('settings that exclude each other are named', () => {
  const needs = new Map([
    ['inbox', { env: { RATE_LIMIT_SCALE: '0' } }],
    ['attack', { env: { RATE_LIMIT_SCALE: '1' } }],
  ]);
  expect(() => mergeNeeds(needs)).toThrow('attack needs RATE_LIMIT_SCALE=1, and another smoke 0');
});
