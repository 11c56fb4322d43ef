import { expect, test } from '@jest/globals';
import { createKey } from './submission-key.js';

test('createKey() returns a different version 4 UUID each time', () => {
  const keys = Array.from({ length: 50 }, createKey);
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(new Set(keys).size).toBe(50);
});
