export { toBars } from './Waveform.js';
export { pauseSounds } from './use-playback.js';
export { Player } from './Player.js';
export { Clock, PlayButton, SoundBar } from './sound-parts.js';
export { Waveform } from './Waveform.js';
