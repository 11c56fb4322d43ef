export { VoiceRecorder } from './VoiceRecorder.js';
