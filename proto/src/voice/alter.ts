import { filter, highPass, lowPass } from './biquad.js';
import { disguise } from './disguise.js';
import { secureRandom, type Random, type Transformation, type VoiceType } from './draw.js';
import { limitPeaks, toFactor } from './loudness.js';
import { computePeaks } from './peaks.js';
import { ANALYSIS_RATE, PASSED_HZ, TRANSFORM_RATE } from './rates.js';
import { retime } from './retime.js';
import { gainThroughLimiter, LIMIT, type PreparedVoice } from './steps.js';

/** A voice that was altered without a server. */
export interface AlteredSound {
  /** Mono, 16 bit, at the analysis rate. */
  pcm: Int16Array<ArrayBuffer>;
  /** The waveform, from 0 to 100. */
  peaks: number[];
}

export interface AlterOptions {
  random?: Random;
  /** Is called with the share of the work that is done. */
  onProgress?: (share: number) => void;
}

/** Shares of the work that are done after a step. */
const DONE = { conversion: 0.7, retiming: 0.85 };

const MAX_SAMPLE = 32_767;

const speedOf = ({ playedRate }: Transformation): number => playedRate / TRANSFORM_RATE;
const pitchRatio = (transformation: Transformation): number => speedOf(transformation) * transformation.pitch;

/**
 * Alters a voice to the end, as the server does with ffmpeg: with the same draws and the same conversion. Pitch and tempo change
 * by playing at another speed and stretching, so the envelope moves with the pitch, and the conversion moves it back.
 */
export function alterVoice(
  { samples, pitch: recorded }: PreparedVoice,
  voiceType: VoiceType,
  { random = secureRandom, onProgress }: AlterOptions = {},
): AlteredSound {
  const converted = disguise(samples, { voiceType, pitch: recorded, random, formantRatioOf: pitchRatio });
  onProgress?.(DONE.conversion);
  const { transformation } = converted;
  const retimed = retime(converted.samples, ANALYSIS_RATE, {
    pitch: pitchRatio(transformation),
    tempo: speedOf(transformation) * transformation.tempo,
  });
  onProgress?.(DONE.retiming);
  const { lowest, highest } = PASSED_HZ;
  const voice = filter(filter(retimed, highPass(lowest, ANALYSIS_RATE)), lowPass(highest, ANALYSIS_RATE));
  const factor = toFactor(gainThroughLimiter(voice, ANALYSIS_RATE));
  const limited = limitPeaks(
    voice.map((sample) => sample * factor),
    ANALYSIS_RATE,
    LIMIT,
  );
  onProgress?.(1);
  return { pcm: quantise(limited), peaks: computePeaks(voice) };
}

function quantise(samples: Float32Array): Int16Array<ArrayBuffer> {
  const pcm = new Int16Array(samples.length);
  for (let index = 0; index < pcm.length; index += 1) pcm[index] = Math.round((samples[index] ?? 0) * MAX_SAMPLE);
  return pcm;
}
