import { expect, test } from '@jest/globals';
import { cepstralBasis, CEPSTRA, createCepstrum, hertzOf, readingAt } from './cepstrum.js';
import { BINS } from './envelope.js';

const smooth = Float32Array.from({ length: BINS }, (_, bin) => Math.cos(hertzOf(bin) / 1200) + hertzOf(bin) / 8000);

test('a cepstrum and its basis give back a smooth envelope without its mean', () => {
  const cepstra = new Float64Array(CEPSTRA);
  createCepstrum(1)(smooth, 0, cepstra, 0);
  const basis = cepstralBasis(1);
  const restored = smooth.map((_, bin) =>
    cepstra.reduce((sum, value, order) => sum + value * (basis[order * BINS + bin] ?? 0), 0),
  );
  const differences = smooth.map((value, bin) => value - (restored[bin] ?? 0));
  expect(Math.max(...differences) - Math.min(...differences)).toBeLessThan(0.1);
});

test('a warped cepstrum is that of the envelope with its frequencies divided', () => {
  const stretched = Float32Array.from({ length: BINS }, (_, bin) => Math.cos((hertzOf(bin) * 0.9) / 1200));
  const plain = Float32Array.from({ length: BINS }, (_, bin) => Math.cos(hertzOf(bin) / 1200));
  const [expected, actual] = [new Float64Array(CEPSTRA), new Float64Array(CEPSTRA)];
  createCepstrum(1)(stretched, 0, expected, 0);
  createCepstrum(0.9)(plain, 0, actual, 0);
  actual.forEach((value, order) => expect(value).toBeCloseTo(expected[order] ?? 0, 2));
});

test('reads between bins, and the last bin beyond them', () => {
  const { bins, shares } = readingAt([0, hertzOf(3) / 2 + hertzOf(4) / 2, 8000, 9000]);
  expect([...bins]).toEqual([0, 3, BINS - 2, BINS - 2]);
  expect([...shares]).toEqual([0, 0.5, 1, 1]);
});
