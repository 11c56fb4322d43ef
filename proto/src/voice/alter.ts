import { filter, highPass, lowPass } from './biquad.js';
import { blocksIn } from './blocks.js';
import { disguise } from './disguise.js';
import { secureRandom, type Random, type VoiceType } from './draw.js';
import { drawMelody } from './melody.js';
import { ANALYSIS_RATE, PASSED_HZ } from './rates.js';
import { retime } from './retime.js';
import { drawRhythm } from './rhythm.js';
import { finish, prepare, type AlteredSound, type PreparedVoice } from './steps.js';
import { CHANNELS } from './stereo.js';

export interface AlterOptions {
  random?: Random;
  /** Share of the work done. */
  onProgress?: (share: number) => void;
}

/** Share done after each step. */
const DONE = { conversion: 0.7, retiming: 0.85 };

/**
 * Resampling and stretching change pitch and rhythm, and move the envelope with the pitch. The conversion compensates
 * first.
 */
export function alterVoice(
  { samples, pitch, track }: PreparedVoice,
  voiceType: VoiceType,
  { random = secureRandom, onProgress }: AlterOptions = {},
): AlteredSound {
  const melody = drawMelody({ track, mean: pitch, blocks: blocksIn(samples) }, random);
  const converted = disguise(samples, { voiceType, pitch, melody, random });
  onProgress?.(DONE.conversion);
  const retimed = retime(converted.samples, ANALYSIS_RATE, converted.pitches, drawRhythm(samples, random));
  onProgress?.(DONE.retiming);
  const { lowest, highest } = PASSED_HZ;
  const sound = finish(filter(filter(retimed, highPass(lowest, ANALYSIS_RATE)), lowPass(highest, ANALYSIS_RATE)));
  onProgress?.(1);
  return sound;
}

const WARM_UP_HZ = 120;

/** On a second of a buzz, so that the engine has compiled the code before the first voice. */
export function warmUp(): void {
  const buzz = Float32Array.from(
    { length: CHANNELS * ANALYSIS_RATE },
    (_, index) => (((Math.floor(index / CHANNELS) * WARM_UP_HZ) / ANALYSIS_RATE) % 1) - 0.5,
  );
  alterVoice(prepare(buzz), 'female');
}
