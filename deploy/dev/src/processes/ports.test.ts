import { expect, test } from '@jest/globals';
import { freePort } from './ports.js';

test('gives each port out once, before anything listens on it', async () => {
  // Of 15,000 ports, 400 random ones would hold a pair in 99 of 100 runs.
  const ports = await Promise.all(Array.from({ length: 400 }, () => freePort()));
  expect(new Set(ports).size).toBe(ports.length);
});
