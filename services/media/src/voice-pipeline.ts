/** For benchmarks. */
export { createFfmpeg } from './clients/ffmpeg.js';
export { createPrivateFiles } from './clients/private-files.js';
export { createVoiceChanger, type VoiceChanger } from './sounds/voice-changer.js';
export { createVoiceThreads } from './voice/threads.js';
