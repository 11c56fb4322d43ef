/** Voice alteration without files and ffmpeg, for media and for the recorder in the browser. */
export { alterVoice, warmUp } from './alter.js';
export type { VoiceType } from './draw.js';
export { createFft } from './fft.js';
export { estimatePitch } from './pitch.js';
export { ANALYSIS_RATE, SHORTEST_SECONDS } from './rates.js';
export { LONGEST_STRETCH } from './rhythm.js';
export { finish, levelOut, LIMIT, prepare } from './steps.js';
export type { AlteredSound, PreparedVoice } from './steps.js';
export { CHANNELS } from './stereo.js';
export { writeWav } from './wav.js';
export { hannWindow } from './window.js';
