import { describe, expect, test } from '@jest/globals';
import type { Identity } from '../identity/identity.js';
import { readSubmission, requireSameContent } from './idempotency.js';

const visitor: Identity = { user: null, visitorId: 'v1', ip: '192.0.2.1' };
const key = '4f1c2a';

describe('readSubmission', () => {
  test('a submission is equal for the same sender, key and content', () => {
    expect(readSubmission(key, visitor, ['1', 'a'])).toEqual(
      readSubmission(key, { ...visitor, ip: '192.0.2.9' }, ['1', 'a']),
    );
  });

  test('a submission differs between senders with the same key', () => {
    const other = readSubmission(key, { ...visitor, visitorId: 'v2' }, ['1', 'a']);
    expect(other.key).not.toBe(readSubmission(key, visitor, ['1', 'a']).key);
  });

  test('a submission differs for different parts with the same concatenation', () => {
    expect(readSubmission(key, visitor, ['1', '23']).content).not.toBe(
      readSubmission(key, visitor, ['12', '3']).content,
    );
  });

  test('generates a unique key if there is none', () => {
    expect(readSubmission(undefined, visitor, ['a']).key).not.toBe(readSubmission(undefined, visitor, ['a']).key);
  });

  test.each(['', 'a b', 'é', 'x'.repeat(129)])('refuses %p as a key', (header) => {
    expect(() => readSubmission(header, visitor, ['a'])).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  });
});

describe('requireSameContent', () => {
  test('refuses a key that was used with different content', () => {
    const first = readSubmission(key, visitor, ['a']);
    expect(() => requireSameContent(readSubmission(key, visitor, ['b']), first)).toThrow(
      expect.objectContaining({ code: 'idempotency_conflict', httpStatus: 409 }),
    );
    expect(() => requireSameContent(readSubmission(key, visitor, ['a']), first)).not.toThrow();
  });
});
