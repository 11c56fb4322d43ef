/** For benchmarks. */
export { Ffmpeg } from './clients/ffmpeg.js';
export { PrivateFiles } from './clients/private-files.js';
export { createVoiceChanger, type VoiceChanger } from './sounds/voice-changer.js';
export { VoiceThreads } from './voice/threads.js';
