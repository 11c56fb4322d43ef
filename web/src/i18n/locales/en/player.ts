export const player = {
  label: 'Voice message, {{duration}}',
  play: 'Play',
  pause: 'Pause',
  position: 'Playback position',
  positionOf: '{{position}} of {{duration}}',
  speed: 'Speed {{speed}}',
  failed: 'An error occurred while playing the audio',
  failedFile: 'An error occurred while playing the audio file',
};
