import { describe, expect, test } from '@jest/globals';
import { CODE_OF_FAULT, ERRORS, FIELD_FAULTS } from './errors.js';
import { fields } from './fields.js';
import { buildRequest } from './request.js';
import { RULES } from './rules.js';

const FAMILY = '👨‍👩‍👧‍👦';

describe('a username', () => {
  test.each(['...', '._-', 'a b', 'ab/', 'سلام'])('%j has forbidden characters', (name) => {
    expect(RULES.username(name)).toEqual({ fault: 'forbidden_characters' });
  });

  test('a username is trimmed and has 3 to 30 characters', () => {
    expect(RULES.username(' nora ')).toEqual({ value: 'nora' });
    expect(RULES.username('ab')).toEqual({ fault: 'too_short' });
    expect(RULES.username('a'.repeat(31))).toEqual({ fault: 'too_long' });
    expect(RULES.username('  ')).toEqual({ fault: 'required' });
  });

  test.each(['.nora', 'nora.', 'no..ra', '..nora-'])('%s has a misplaced dot when it is chosen', (name) => {
    expect(RULES.newUsername(name)).toEqual({ fault: 'misplaced_dot' });
    expect(RULES.username(name)).toEqual({ value: name });
  });

  test('a username may have dots inside', () => {
    expect(RULES.newUsername('no.r.a')).toEqual({ value: 'no.r.a' });
  });

  test.each(['admin', 'ADMIN', 'a.d.m.i.n', 'Najwa-Team'])(
    '%s is reserved when it is chosen, not when it is looked up',
    (name) => {
      expect(RULES.newUsername(name)).toEqual({ fault: 'reserved' });
      expect(RULES.username(name)).toEqual({ value: name });
    },
  );
});

describe('a password', () => {
  test('counts grapheme clusters for the lower limit', () => {
    expect(RULES.password(FAMILY.repeat(2))).toEqual({ fault: 'too_short' });
    expect(RULES.password(FAMILY.repeat(8))).toEqual({ value: FAMILY.repeat(8) });
    expect(RULES.password(`a${'\u0301'.repeat(20)}`)).toEqual({ fault: 'too_short' });
  });

  test('counts code units for the upper limit', () => {
    expect(RULES.password('a'.repeat(128))).toEqual({ value: 'a'.repeat(128) });
    expect(RULES.password('a'.repeat(129))).toEqual({ fault: 'too_long' });
    expect(RULES.password(FAMILY.repeat(12))).toEqual({ fault: 'too_long' });
  });

  test('a password is not normalised', () => {
    expect(RULES.password('  spaces  ')).toEqual({ value: '  spaces  ' });
  });
});

test.each([
  [' Nora@Example.ORG ', { value: 'nora@example.org' }],
  ['nora@example', { fault: 'not_an_email' }],
  ['a..b@example.org', { fault: 'not_an_email' }],
  ['', { fault: 'required' }],
])('e-mail %j', (raw, result) => {
  expect(RULES.email(raw)).toEqual(result);
});

test('maps known faults to known error codes', () => {
  for (const [fault, code] of Object.entries(CODE_OF_FAULT)) {
    expect(FIELD_FAULTS).toContain(fault);
    expect(Object.keys(ERRORS)).toContain(code);
  }
});

test.each(['0', '01', '-1', '1e3', '1.0', '9'.repeat(16), ''])('%j is not an id', (text) => {
  expect(fields.idText.safeParse(text).success).toBe(false);
});

describe('buildRequest', () => {
  test('sets path, query and key', () => {
    expect(buildRequest('getPublicUser', { params: { username: 'a/b' } }).url).toBe('/users/a%2Fb');
    expect(buildRequest('listMessages', { query: { before: 12, sort: 'oldest' } }).url).toBe(
      '/messages?before=12&sort=oldest',
    );
    expect(buildRequest('createReply', { body: { messageId: 1, content: 'a' }, idempotencyKey: 'key' })).toEqual({
      url: '/replies',
      method: 'POST',
      body: { messageId: 1, content: 'a' },
      headers: { 'Idempotency-Key': 'key' },
    });
  });

  test('sends a body with a file as a form with the file last', () => {
    const image = new Blob(['picture']);
    const { body } = buildRequest('createMessage', { body: { image, userId: 2, content: 'a' } });
    expect([...(body as FormData).keys()]).toEqual(['userId', 'content', 'image']);
  });
});
