export { toBars } from './bars.js';
export { pauseSounds } from './pause-sounds.js';
export { Player } from './Player.js';
export { Clock, PlayButton, SoundBar } from './sound-parts.js';
export { Waveform } from './Waveform.js';
