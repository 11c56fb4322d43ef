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

/* Piscina loads a file and passes one argument. */

lowerThreadPriority();

export { prepare };

export interface Alteration extends PreparedVoice {
  voiceType: VoiceType;
}

export const alter = (task: Alteration): AlteredSound => alterVoice(task, task.voiceType);

export interface KeptSound extends AlteredSound {
  isSilent: boolean;
}

/** For a voice altered elsewhere. @param recorded interleaved stereo */
export function keep(recorded: Float32Array): KeptSound {
  const { samples, isSilent } = levelOut(recorded);
  return { ...finish(samples), isSilent };
}
