import { createFft } from './fft.js';

type Pair = readonly [Float64Array, Float64Array];

/** Writes the autocorrelations of two frames at the lags from 0, each as a part of that at lag 0. */
export type Autocorrelator = (frames: Pair, into: Pair) => void;

/** What of a frame may wrap around: its last hundredth, which a Hann window leaves next to nothing of. */
const WRAPPED = 0.01;

/**
 * Autocorrelation by way of the power spectrum (Wiener–Khinchin), two real frames at a time: the one as the real and the
 * other as the imaginary part, whose spectra come apart by their symmetry.
 */
export function createAutocorrelator(frameLength: number, longestLag: number): Autocorrelator {
  const size = 2 ** Math.ceil(Math.log2(frameLength * (1 - WRAPPED) + longestLag));
  const fft = createFft(size);
  const real = new Float64Array(size);
  const imaginary = new Float64Array(size);

  return ([first, second], [firstInto, secondInto]) => {
    real.fill(0).set(first);
    imaginary.fill(0).set(second);
    fft(real, imaginary);
    for (let bin = 0; bin <= size / 2; bin += 1) {
      const mirrored = (size - bin) % size;
      const [a, b, c, d] = [real[bin] ?? 0, imaginary[bin] ?? 0, real[mirrored] ?? 0, imaginary[mirrored] ?? 0];
      const firstPower = (a + c) ** 2 + (b - d) ** 2;
      const secondPower = (b + d) ** 2 + (c - a) ** 2;
      real[bin] = real[mirrored] = firstPower;
      imaginary[bin] = imaginary[mirrored] = secondPower;
    }
    // A power spectrum is even, so that transforming it forward is as good as backward.
    fft(real, imaginary);
    for (let lag = 0; lag < firstInto.length; lag += 1) {
      firstInto[lag] = (real[lag] ?? 0) / (real[0] ?? 1);
      secondInto[lag] = (imaginary[lag] ?? 0) / (imaginary[0] ?? 1);
    }
  };
}
