import { lowerThreadPriority } from '@najwa/common/priority';
import {
  alterVoice,
  finish,
  levelOut,
  prepare,
  type AlteredSound,
  type PreparedVoice,
  type VoiceType,
} from '@najwa/proto/voice';

/* The steps that threads run. Piscina takes the path of a file, and gives a function one argument. */

lowerThreadPriority();

export { prepare };

export interface Alteration extends PreparedVoice {
  voiceType: VoiceType;
}

export const alter = (task: Alteration): AlteredSound => alterVoice(task, task.voiceType);

export interface KeptSound extends AlteredSound {
  /** True if nothing is audible. */
  isSilent: boolean;
}

/** For a voice that was altered elsewhere. @param recorded interleaved stereo */
export function keep(recorded: Float32Array): KeptSound {
  const { samples, isSilent } = levelOut(recorded);
  return { ...finish(samples), isSilent };
}
