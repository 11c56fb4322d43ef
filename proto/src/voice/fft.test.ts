import { expect, test } from '@jest/globals';
import { createFft } from './fft.js';

test.each([2, 4, 8, 32, 64, 256])('gives the sums of the definition for %i numbers', (size) => {
  const numbers = Array.from({ length: size }, (_, index) => [Math.sin(index * index), Math.cos(3 * index)] as const);
  const real = Float64Array.from(numbers, ([value]) => value);
  const imaginary = Float64Array.from(numbers, ([, value]) => value);
  createFft(size)(real, imaginary);
  for (let bin = 0; bin < size; bin += 1) {
    let [sumReal, sumImaginary] = [0, 0];
    numbers.forEach(([a, b], index) => {
      const angle = (-2 * Math.PI * bin * index) / size;
      sumReal += a * Math.cos(angle) - b * Math.sin(angle);
      sumImaginary += a * Math.sin(angle) + b * Math.cos(angle);
    });
    expect(real[bin]).toBeCloseTo(sumReal, 9);
    expect(imaginary[bin]).toBeCloseTo(sumImaginary, 9);
  }
});
