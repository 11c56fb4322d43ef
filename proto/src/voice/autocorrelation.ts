import { createFft } from './fft.js';

type Pair = readonly [Float64Array, Float64Array];

/** Writes the autocorrelations of two frames at the lags from 0, normalised by the value at lag 0. */
export type Autocorrelator = (frames: Pair, into: Pair) => void;

/** Share of a frame that may wrap around. A Hann window makes its ends almost zero. */
const MAX_WRAPPED = 0.01;

/**
 * Autocorrelation from the power spectrum (Wiener–Khinchin). Transforms two real frames at a time, one as the real and
 * one as the imaginary part, and separates their spectra by symmetry.
 */
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
    // A power spectrum is even, so its forward and inverse transforms differ only in scale.
    fft(real, imaginary);
    for (let lag = 0; lag < firstInto.length; lag += 1) {
      firstInto[lag] = (real[lag] ?? 0) / (real[0] ?? 1);
      secondInto[lag] = (imaginary[lag] ?? 0) / (imaginary[0] ?? 1);
    }
  };
}
