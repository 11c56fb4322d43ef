import { expect, test } from '@jest/globals';
import { CEPSTRA } from './cepstrum.js';
import model from './speaker-model.json' with { type: 'json' };
import { logLikelihood, SPEAKER_SPREAD, TYPICAL, TYPICAL_DEVIATION } from './speaker-model.js';

test('the model is complete and names its source and licence', () => {
  expect(model.source).toMatch(/LibriSpeech.*Panayotov.*CC BY 4\.0/);
  expect(model.weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 3);
  expect([model.means.length, model.variances.length]).toEqual(Array(2).fill(model.weights.length * CEPSTRA));
  expect(model.variances.every((variance) => variance > 0)).toBe(true);
  expect([SPEAKER_SPREAD.length, TYPICAL.male.mean.length, TYPICAL.female.mean.length]).toEqual([
    CEPSTRA * CEPSTRA,
    CEPSTRA,
    CEPSTRA,
  ]);
  expect(TYPICAL.female.warp).toBeGreaterThan(TYPICAL.male.warp);
});

test('speech swings as the sounds of the model lie apart, and within each', () => {
  TYPICAL_DEVIATION.forEach((deviation, order) => {
    const at = (values: readonly number[]) => model.weights.map((_, number) => values[number * CEPSTRA + order] ?? 0);
    const mean = at(model.means).reduce((sum, value, number) => sum + value * (model.weights[number] ?? 0), 0);
    const variance = at(model.variances).reduce(
      (sum, value, number) =>
        sum + (model.weights[number] ?? 0) * (value + ((at(model.means)[number] ?? 0) - mean) ** 2),
      0,
    );
    expect(deviation).toBeCloseTo(Math.sqrt(variance), 5);
  });
});

test('the likelihood is that of a mixture of Gaussians', () => {
  const cepstra = Float64Array.from({ length: CEPSTRA + 1 }, (_, index) => 0.3 * Math.sin(index));
  const density = model.weights.reduce((total, weight, number) => {
    const factors = Array.from({ length: CEPSTRA }, (_, order) => {
      const variance = model.variances[number * CEPSTRA + order] ?? 1;
      const distance = (cepstra[1 + order] ?? 0) - (model.means[number * CEPSTRA + order] ?? 0);
      return Math.exp((-distance * distance) / (2 * variance)) / Math.sqrt(2 * Math.PI * variance);
    });
    return total + weight * factors.reduce((product, factor) => product * factor, 1);
  }, 0);
  expect(logLikelihood(cepstra, 1)).toBeCloseTo(Math.log(density), 9);
});
