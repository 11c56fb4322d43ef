import '../test/setup.js';
import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { solveProof } from './proof-of-work.js';

const BITS = 12;

describe('solveProof()', () => {
  test.each([1, 30, 53, 54, 55, 62, 63, 64, 130, 300])(
    'solveProof() solves a challenge of %d characters',
    async (length) => {
      const challenge = 'c'.repeat(length);
      const proof = await solveProof({ challenge, bits: BITS });
      expect(proof).toMatch(/^c+\.\d+$/);
      const hash = createHash('sha256').update(proof).digest();
      expect(hash.readUInt32BE(0) >>> (32 - BITS)).toBe(0);
    },
  );

  test('solveProof() finds the lowest counter', async () => {
    const challenge = 'a challenge';
    const isProof = (counter: number) =>
      createHash('sha256').update(`${challenge}.${counter}`).digest().readUInt16BE(0) >>> 8 === 0;
    let lowest = 0;
    while (!isProof(lowest)) lowest += 1;
    expect(await solveProof({ challenge, bits: 8 })).toBe(`${challenge}.${lowest}`);
  });

  test('solveProof() refuses a challenge that would take minutes', async () => {
    await expect(solveProof({ challenge: 'a challenge', bits: 40 })).rejects.toThrow(RangeError);
  });
});
