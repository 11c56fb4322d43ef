export { VoiceRecorder, type VoiceRecorderProps } from './VoiceRecorder.js';
