/** The alteration of voices without files and ffmpeg: media runs it, and so does the recorder in the browser. */
export type { DisguisedVoice } from './disguise.js';
export type { Transformation, VoiceType } from './draw.js';
export { createFft } from './fft.js';
export { estimatePitch } from './pitch.js';
export { ANALYSIS_RATE, TRANSFORM_RATE } from './rates.js';
export { convert, measure, prepare } from './steps.js';
export type { ConversionTask, MeasureResult, PreparedVoice } from './steps.js';
export { CHANNELS } from './stereo.js';
export { hannWindow } from './window.js';
