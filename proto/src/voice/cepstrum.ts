import { BINS } from './envelope.js';
import { ANALYSIS_RATE } from './rates.js';

/** From 1: coefficient 0, the level, is independent of the speaker. */
export const CEPSTRA = 24;

const BANDS = 40;
const TOP_HZ = ANALYSIS_RATE / 2;

/**
 * S. S. Stevens, J. Volkmann and E. B. Newman (1937), in the form of D. O'Shaughnessy, "Speech communication" (1987).
 */
const toMel = (hertz: number): number => 2595 * Math.log10(1 + hertz / 700);
const fromMel = (mel: number): number => 700 * (10 ** (mel / 2595) - 1);

/** Linear interpolation between bins. */
export interface Reading {
  /** Below each frequency. */
  bins: Int32Array;
  /** Of the bin above. */
  shares: Float64Array;
}

/** Clamped to the highest bin. */
export function readingAt(hertz: ArrayLike<number>): Reading {
  const places = Float64Array.from(hertz, (value) => Math.min((value / TOP_HZ) * (BINS - 1), BINS - 1));
  const bins = Int32Array.from(places, (place) => Math.min(Math.floor(place), BINS - 2));
  return { bins, shares: places.map((place, index) => place - (bins[index] ?? 0)) };
}

/** In Hz. */
export const hertzOf = (bin: number): number => (bin / (BINS - 1)) * TOP_HZ;

const bandCentres = Float64Array.from({ length: BANDS }, (_, band) => fromMel(((band + 0.5) / BANDS) * toMel(TOP_HZ)));

const cosines = Float64Array.from(
  { length: CEPSTRA * BANDS },
  (_, index) => (2 / BANDS) * Math.cos((Math.PI / BANDS) * (Math.floor(index / BANDS) + 1) * ((index % BANDS) + 0.5)),
);

/** Of the envelope at `offset`. */
export type Cepstrum = (envelopes: Float32Array | Float64Array, offset: number, into: Float64Array, at: number) => void;

/**
 * Mel-frequency cepstra, with frequencies multiplied by `warp`: S. B. Davis and P. Mermelstein, "Comparison of
 * parametric representations for monosyllabic word recognition", IEEE Transactions on Acoustics, Speech, and Signal
 * Processing 28 (1980), 357–366.
 */
export function createCepstrum(warp: number): Cepstrum {
  const { bins, shares } = readingAt(bandCentres.map((hertz) => hertz * warp));
  const bands = new Float64Array(BANDS);

  return (envelopes, offset, into, at) => {
    for (let band = 0; band < BANDS; band += 1) {
      const place = offset + (bins[band] ?? 0);
      const below = envelopes[place] ?? 0;
      bands[band] = below + ((envelopes[place + 1] ?? 0) - below) * (shares[band] ?? 0);
    }
    for (let order = 0; order < CEPSTRA; order += 1) {
      let sum = 0;
      for (let band = 0; band < BANDS; band += 1) sum += (cosines[order * BANDS + band] ?? 0) * (bands[band] ?? 0);
      into[at + order] = sum;
    }
  };
}

/**
 * Row `order` has the cosine of that coefficient at every bin.
 * @param scale from a bin's frequency to that of the cosines
 */
export const cepstralBasis = (scale: number): Float64Array =>
  cepstralBasisAt(Array.from({ length: BINS }, (_, bin) => hertzOf(bin) * scale));

/** At chosen frequencies, by Chebyshev's recurrence: one cosine per frequency. */
export function cepstralBasisAt(hertz: readonly number[]): Float64Array {
  const basis = new Float64Array(CEPSTRA * hertz.length);
  hertz.forEach((value, place) => {
    const cosine = Math.cos(Math.PI * (toMel(Math.min(value, TOP_HZ)) / toMel(TOP_HZ)));
    let [before, here] = [1, cosine];
    for (let order = 0; order < CEPSTRA; order += 1) {
      basis[order * hertz.length + place] = here;
      [before, here] = [here, 2 * cosine * here - before];
    }
  });
  return basis;
}
