/** The alteration of voices without files and ffmpeg: media runs it, and so does the recorder in the browser. */
export { alterVoice } from './alter.js';
export type { AlteredSound, AlterOptions } from './alter.js';
export type { DisguisedVoice } from './disguise.js';
export { SLOWEST_TEMPO } from './draw.js';
export type { Transformation, VoiceType } from './draw.js';
export { createFft } from './fft.js';
export { estimatePitch } from './pitch.js';
export { ANALYSIS_RATE, PASSED_HZ, SHORTEST_SECONDS, TRANSFORM_RATE } from './rates.js';
export { convert, levelOut, LIMIT, measure, prepare } from './steps.js';
export type { ConversionTask, LevelledSound, MeasureResult, PreparedVoice } from './steps.js';
export { CHANNELS } from './stereo.js';
export { writeWav } from './wav.js';
export { hannWindow } from './window.js';
