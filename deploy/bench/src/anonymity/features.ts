import { createFft, estimatePitch, hannWindow } from '@najwa/proto/voice';

export const RATE = 16_000;

const FRAME = 512;
const STEP = 160;
const BANDS = 32;
const CEPSTRA = 20;

/** Altered voices have nothing beyond. Otherwise a recogniser would detect the filter alone. */
const BAND_HZ = [150, 4100] as const;

/** A frame counts if it is at most 30 dB below loud ones. */
const LOUD_PERCENTILE = 0.95;
const SPEECH_BELOW_LOUD = 1e-3;

const toMel = (hertz: number): number => 2595 * Math.log10(1 + hertz / 700);
const fromMel = (mel: number): number => 700 * (10 ** (mel / 2595) - 1);

const filters = melFilters();
const cosines = Array.from({ length: CEPSTRA }, (_, order) =>
  Array.from({ length: BANDS }, (_, band) => Math.cos((Math.PI / BANDS) * (order + 1) * (band + 0.5))),
);

/**
 * Speaker features: mean and deviation of mel-frequency cepstra, deviation of their deltas, and pitch. Davis and
 * Mermelstein (1980); S. Furui, "Cepstral analysis technique for automatic speaker verification", IEEE Transactions on
 * Acoustics, Speech, and Signal Processing 29 (1981), 254–272.
 */
export function extractFeatures(samples: Float32Array): number[] {
  const cepstra = speechCepstra(samples);
  const changes = cepstra
    .slice(1)
    .map((frame, index) => frame.map((value, order) => value - (cepstra[index]?.[order] ?? 0)));
  const [mean, deviation] = momentsOf(cepstra);
  return [...mean, ...deviation, ...momentsOf(changes)[1], Math.log(estimatePitch(samples, RATE))];
}

function speechCepstra(samples: Float32Array): number[][] {
  const fft = createFft(FRAME);
  const window = hannWindow(FRAME);
  const real = new Float64Array(FRAME);
  const imaginary = new Float64Array(FRAME);
  const frames: { power: number; cepstra: number[] }[] = [];
  for (let start = 0; start + FRAME <= samples.length; start += STEP) {
    for (let index = 0; index < FRAME; index += 1) real[index] = (samples[start + index] ?? 0) * (window[index] ?? 0);
    imaginary.fill(0);
    fft(real, imaginary);
    const bands = filters.map((filter) =>
      filter.reduce((sum, { bin, weight }) => sum + weight * ((real[bin] ?? 0) ** 2 + (imaginary[bin] ?? 0) ** 2), 0),
    );
    const logarithms = bands.map((power) => Math.log(power + 1e-9));
    frames.push({
      power: bands.reduce((sum, power) => sum + power, 0),
      cepstra: cosines.map((row) => row.reduce((sum, cosine, band) => sum + cosine * (logarithms[band] ?? 0), 0)),
    });
  }
  const powers = frames.map(({ power }) => power).sort((a, b) => a - b);
  const loud = powers[Math.floor(LOUD_PERCENTILE * (powers.length - 1))] ?? 0;
  return frames.filter(({ power }) => power >= loud * SPEECH_BELOW_LOUD).map(({ cepstra }) => cepstra);
}

/** By column. */
function momentsOf(rows: readonly number[][]): [number[], number[]] {
  const columns = Array.from({ length: CEPSTRA }, (_, column) => rows.map((row) => row[column] ?? 0));
  const means = columns.map((values) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length));
  const deviations = columns.map((values, column) =>
    Math.sqrt(values.reduce((sum, value) => sum + (value - (means[column] ?? 0)) ** 2, 0) / Math.max(1, values.length)),
  );
  return [means, deviations];
}

function melFilters(): { bin: number; weight: number }[][] {
  const [low, high] = BAND_HZ.map(toMel) as [number, number];
  const edge = (index: number): number => fromMel(low + ((high - low) * index) / (BANDS + 1));
  return Array.from({ length: BANDS }, (_, band) =>
    Array.from({ length: FRAME / 2 }, (_, bin) => {
      const hertz = (bin * RATE) / FRAME;
      const [left, centre, right] = [edge(band), edge(band + 1), edge(band + 2)];
      return { bin, weight: Math.min((hertz - left) / (centre - left), (right - hertz) / (right - centre)) };
    }).filter(({ weight }) => weight > 0),
  );
}
