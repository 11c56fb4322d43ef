import { CEPSTRA, createCepstrum } from './cepstrum.js';
import { BINS, type Envelopes } from './envelope.js';
import { logLikelihood } from './speaker-model.js';

const SHORTEST = 0.84;
const WARP_STEP = 0.02;
const WARPS = 18;

/** More change less than one step. */
const MAX_FRAMES = 400;

/**
 * Ratio to a standard vocal tract, by maximum likelihood: L. Lee and R. Rose, "A frequency warping approach to speaker
 * normalization", IEEE Transactions on Speech and Audio Processing 6 (1998), 49–60. Men are near 0.9, women near 1.04.
 */
export function estimateWarp({ values, speech }: Envelopes): number {
  const every = Math.ceil(speech.length / MAX_FRAMES);
  const frames = speech.filter((_, index) => index % every === 0);
  const cepstra = new Float64Array(frames.length * CEPSTRA);
  const warps = Array.from({ length: WARPS }, (_, index) => SHORTEST + index * WARP_STEP);

  const scores = warps.map((warp) => {
    const cepstrum = createCepstrum(warp);
    frames.forEach((frame, index) => cepstrum(values, frame * BINS, cepstra, index * CEPSTRA));
    removeMean(cepstra);
    let sum = 0;
    for (let offset = 0; offset < cepstra.length; offset += CEPSTRA) sum += logLikelihood(cepstra, offset);
    return sum;
  });
  const best = scores.indexOf(Math.max(...scores));
  const [before, here, after] = [scores[best - 1], scores[best] ?? 0, scores[best + 1]];
  const warp = warps[best] ?? 1;
  if (before === undefined || after === undefined || before + after === 2 * here) return warp;
  return warp + (WARP_STEP * (before - after)) / (2 * (before - 2 * here + after));
}

/** Mean logarithmic envelope of speech. */
export function longTermEnvelope({ values, speech }: Envelopes): Float64Array {
  const mean = new Float64Array(BINS);
  for (const frame of speech) {
    for (let bin = 0; bin < BINS; bin += 1)
      mean[bin] = (mean[bin] ?? 0) + (values[frame * BINS + bin] ?? 0) / speech.length;
  }
  return mean;
}

function removeMean(cepstra: Float64Array): void {
  const mean = new Float64Array(CEPSTRA);
  const frames = cepstra.length / CEPSTRA;
  for (let index = 0; index < cepstra.length; index += 1) {
    const order = index % CEPSTRA;
    mean[order] = (mean[order] ?? 0) + (cepstra[index] ?? 0) / frames;
  }
  for (let index = 0; index < cepstra.length; index += 1)
    cepstra[index] = (cepstra[index] ?? 0) - (mean[index % CEPSTRA] ?? 0);
}
