/** What browsers record in and the server reads, in the order of the product's wishes: Chrome and Firefox, Safari, older Firefox. */
const TYPES = ['audio/webm;codecs=opus', 'audio/webm', 'audio/mp4', 'audio/ogg;codecs=opus', 'audio/ogg'] as const;

/** Wishes, not conditions: a device that has other rates or two channels still records. */
const WANTED = { channelCount: 1, sampleRate: 44_100 };

/** In what this browser can record; null where it cannot, or where the page is no secure one. */
export function findRecordingType(): string | null {
  if (!('MediaRecorder' in window) || !('mediaDevices' in navigator)) return null;
  return TYPES.find((type) => MediaRecorder.isTypeSupported(type)) ?? null;
}

export const openMicrophone = () => navigator.mediaDevices.getUserMedia({ audio: WANTED });

/** Lets go of the microphone, so that the browser stops showing that it is in use. */
export function closeMicrophone(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}
