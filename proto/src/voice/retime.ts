import { BLOCK, endsOf, placeAfter, placesBefore } from './blocks.js';
import type { Rhythm } from './rhythm.js';
import { hannWindow } from './window.js';

/** On each side, at the cutoff. Losses near 8 kHz are cut off later anyway. */
const REACH = 10;

/** Tabulated fractions of a sample. */
const PHASES = 256;

/** Half-overlapping frames, and the search range. */
const FRAME_SECONDS = 0.03;
const SEARCH_SECONDS = 0.0075;

/** Step of the coarse search, far below a pitch period. */
const COARSE = 4;

/**
 * Resamples, which moves all frequencies, then stretches to the drawn rhythm. The conversion has compensated the
 * envelope.
 * @param pitches factors by block
 */
export function retime(samples: Float32Array, sampleRate: number, pitches: Float64Array, rhythm: Rhythm): Float32Array {
  const ends = endsOf(pitches.map((pitch) => BLOCK / pitch));
  const { placeOf } = rhythm;
  return stretch(resample(samples, ends, Math.max(...pitches)), sampleRate, {
    length: rhythm.length,
    placeOf: (index) => placeAfter(ends, placeOf(index)),
  });
}

/**
 * Windowed sinc, band-limited to the new rate.
 * @param fastest largest step between places
 */
function resample(samples: Float32Array, ends: Float64Array, fastest: number): Float32Array {
  const cutoff = Math.min(1, 1 / fastest);
  const reach = Math.ceil(REACH / cutoff);
  const taps = 2 * reach;
  const table = kernels(cutoff, reach);
  const padded = new Float32Array(samples.length + 2 * taps + BLOCK);
  padded.set(samples, taps);
  const placeOf = placesBefore(ends);
  const result = new Float32Array(Math.ceil(placeAfter(ends, samples.length)));
  for (let index = 0; index < result.length; index += 1) {
    const place = placeOf(index);
    const before = Math.floor(place);
    const phase = Math.round((place - before) * PHASES) * taps;
    const first = before - reach + 1 + taps;
    let one = 0;
    let other = 0;
    for (let tap = 0; tap < taps; tap += 2) {
      one += (padded[first + tap] ?? 0) * (table[phase + tap] ?? 0);
      other += (padded[first + tap + 1] ?? 0) * (table[phase + tap + 1] ?? 0);
    }
    result[index] = one + other;
  }
  return result;
}

/** Taps by fraction, both ends included. */
function kernels(cutoff: number, reach: number): Float64Array {
  const taps = 2 * reach;
  return Float64Array.from({ length: (PHASES + 1) * taps }, (_, index) => {
    const distance = (index % taps) - reach + 1 - Math.floor(index / taps) / PHASES;
    const angle = Math.PI * cutoff * distance;
    const sinc = distance === 0 ? 1 : Math.sin(angle) / angle;
    return cutoff * sinc * Math.cos((Math.PI * distance) / (2 * (reach + 1))) ** 2;
  });
}

/**
 * Changes timing but not pitch: W. Verhelst and M. Roelands, "An overlap-add technique based on waveform similarity
 * (WSOLA) for high quality time-scale modification of speech", ICASSP 1993, 554–557. Each frame comes from near its
 * place, where it correlates best with the continuation of the previous frame.
 */
export function stretch(samples: Float32Array, sampleRate: number, { length, placeOf }: Rhythm): Float32Array {
  const hop = COARSE * Math.round((FRAME_SECONDS * sampleRate) / 2 / COARSE);
  const search = COARSE * Math.round((SEARCH_SECONDS * sampleRate) / COARSE);
  const window = hannWindow(2 * hop);
  const margin = search + 2 * hop;
  const padded = new Float32Array(samples.length + 2 * margin + 2 * hop);
  padded.set(samples, margin);
  const coarse = averaged(padded);
  const result = new Float32Array(length + 2 * hop);

  let start = margin - hop;
  for (let place = -hop; place < length; place += hop) {
    if (place >= 0) {
      const wanted = Math.min(margin + Math.round(placeOf(place)), padded.length - margin);
      start = bestStart(padded, coarse, { follows: start + hop, wanted, search, hop });
    }
    for (let index = Math.max(0, -place); index < 2 * hop; index += 1) {
      const at = place + index;
      result[at] = (result[at] ?? 0) + (padded[start + index] ?? 0) * (window[index] ?? 0);
    }
  }
  return result.slice(0, length);
}

interface Fit {
  /** Continuation of the previous frame. */
  follows: number;
  wanted: number;
  search: number;
  hop: number;
}

/** Coarse search, then fine. */
function bestStart(samples: Float32Array, coarse: Float32Array, { follows, wanted, search, hop }: Fit): number {
  const rough = mostAlike(coarse, {
    follows: Math.round(follows / COARSE),
    from: Math.round((wanted - search) / COARSE),
    to: Math.round((wanted + search) / COARSE),
    length: hop / COARSE,
  });
  return mostAlike(samples, {
    follows,
    from: Math.max(rough * COARSE - COARSE, 0),
    to: rough * COARSE + COARSE,
    length: hop,
  });
}

interface Range {
  follows: number;
  from: number;
  to: number;
  length: number;
}

/** By normalised correlation. */
function mostAlike(samples: Float32Array, { follows, from, to, length }: Range): number {
  let best = from;
  let highest = -Infinity;
  for (let start = from; start <= to; start += 1) {
    let product = 0;
    let power = 1e-9;
    for (let index = 0; index < length; index += 1) {
      const value = samples[start + index] ?? 0;
      product += value * (samples[follows + index] ?? 0);
      power += value * value;
    }
    const likeness = product / Math.sqrt(power);
    if (likeness > highest) {
      highest = likeness;
      best = start;
    }
  }
  return best;
}

function averaged(samples: Float32Array): Float32Array {
  const means = new Float32Array(Math.floor(samples.length / COARSE));
  for (let index = 0; index < means.length; index += 1) {
    let sum = 0;
    for (let offset = 0; offset < COARSE; offset += 1) sum += samples[index * COARSE + offset] ?? 0;
    means[index] = sum / COARSE;
  }
  return means;
}
