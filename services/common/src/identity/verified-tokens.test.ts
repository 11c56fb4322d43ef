import { expect, test } from '@jest/globals';
import { createTokenMemory } from './verified-tokens.js';

const verified = (claims: string, expiresAt: number) => () => Promise.resolve({ claims, expiresAt });
const refused = () => Promise.reject(new Error('refused'));

test('a verified token is verified once', async () => {
  const remember = createTokenMemory<string>(() => 0);
  await remember('a', verified('from a', 1_000));
  await expect(remember('a', refused)).resolves.toBe('from a');
});

test('a token is verified again after it has expired', async () => {
  let now = 0;
  const remember = createTokenMemory<string>(() => now);
  await remember('a', verified('from a', 1_000));
  now = 1_000;
  await expect(remember('a', refused)).rejects.toThrow('refused');
});

test('another token is verified by itself', async () => {
  const remember = createTokenMemory<string>(() => 0);
  await remember('a', verified('from a', 1_000));
  await expect(remember('b', refused)).rejects.toThrow('refused');
});

test('a refused token is not remembered', async () => {
  const remember = createTokenMemory<string>(() => 0);
  await expect(remember('a', refused)).rejects.toThrow('refused');
  await expect(remember('a', verified('from a', 1_000))).resolves.toBe('from a');
});
