import { createFft } from './fft.js';

type Pair = readonly [Float64Array, Float64Array];

/** From lag 0, normalised by its value. */
export type Autocorrelator = (frames: Pair, into: Pair) => void;

/** A Hann window makes the ends almost zero. */
const MAX_WRAPPED = 0.01;

/** Wiener–Khinchin. Transforms two real frames at once and separates them by symmetry. */
export function createAutocorrelator(frameLength: number, longestLag: number): Autocorrelator {
  const size = 2 ** Math.ceil(Math.log2(frameLength * (1 - MAX_WRAPPED) + longestLag));
  const fft = createFft(size);
  const real = new Float64Array(size);
  const imaginary = new Float64Array(size);

  return ([first, second], [firstInto, secondInto]) => {
    real.fill(0).set(first);
    imaginary.fill(0).set(second);
    fft(real, imaginary);
    for (let bin = 0; bin <= size / 2; bin += 1) {
      const mirrored = (size - bin) % size;
      const a = real[bin] ?? 0;
      const b = imaginary[bin] ?? 0;
      const c = real[mirrored] ?? 0;
      const d = imaginary[mirrored] ?? 0;
      const firstPower = (a + c) ** 2 + (b - d) ** 2;
      const secondPower = (b + d) ** 2 + (c - a) ** 2;
      real[bin] = real[mirrored] = firstPower;
      imaginary[bin] = imaginary[mirrored] = secondPower;
    }
    // A power spectrum is even: forward and inverse transforms differ only in scale.
    fft(real, imaginary);
    for (let lag = 0; lag < firstInto.length; lag += 1) {
      firstInto[lag] = (real[lag] ?? 0) / (real[0] ?? 1);
      secondInto[lag] = (imaginary[lag] ?? 0) / (imaginary[0] ?? 1);
    }
  };
}
