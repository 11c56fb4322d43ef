import { filter, highPass, lowPass } from './biquad.js';
import { disguise } from './disguise.js';
import { secureRandom, type Random, type VoiceType } from './draw.js';
import { ANALYSIS_RATE, PASSED_HZ } from './rates.js';
import { retime } from './retime.js';
import { finish, type AlteredSound, type PreparedVoice } from './steps.js';

export interface AlterOptions {
  random?: Random;
  /** Is called with the share of the work that is done. */
  onProgress?: (share: number) => void;
}

/** Shares of the work that are done after a step. */
const DONE = { conversion: 0.7, retiming: 0.85 };

/**
 * Alters a voice to the end. Pitch and tempo change by playing at another speed and stretching, so the envelope moves with the
 * pitch, and the conversion moves it back before.
 */
export function alterVoice(
  { samples, pitch }: PreparedVoice,
  voiceType: VoiceType,
  { random = secureRandom, onProgress }: AlterOptions = {},
): AlteredSound {
  const { samples: converted, transformation } = disguise(samples, { voiceType, pitch, random });
  onProgress?.(DONE.conversion);
  const retimed = retime(converted, ANALYSIS_RATE, transformation);
  onProgress?.(DONE.retiming);
  const { lowest, highest } = PASSED_HZ;
  const sound = finish(filter(filter(retimed, highPass(lowest, ANALYSIS_RATE)), lowPass(highest, ANALYSIS_RATE)));
  onProgress?.(1);
  return sound;
}
