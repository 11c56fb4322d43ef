/** Recording formats that the server accepts, in order of preference: Chrome and Firefox, Safari, older Firefox. */
const TYPES = ['audio/webm;codecs=opus', 'audio/webm', 'audio/mp4', 'audio/ogg;codecs=opus', 'audio/ogg'] as const;

/** Preferences, not requirements: other devices can record too. */
const WANTED = { channelCount: 1, sampleRate: 44_100 };

/** The recording format of this browser. Null if it cannot record or the page is not in a secure context. */
export function findRecordingType(): string | null {
  if (!('MediaRecorder' in window) || !('mediaDevices' in navigator)) return null;
  return TYPES.find((type) => MediaRecorder.isTypeSupported(type)) ?? null;
}

export const openMicrophone = () => navigator.mediaDevices.getUserMedia({ audio: WANTED });

/** Releases the microphone, so that the browser stops showing it as in use. */
export function closeMicrophone(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}
