/** Formats that the server accepts, in order of preference: Chrome and Firefox, Safari, older Firefox. */
const TYPES = ['audio/webm;codecs=opus', 'audio/webm', 'audio/mp4', 'audio/ogg;codecs=opus', 'audio/ogg'] as const;

/** Preferences, not requirements: other devices can record too. */
const CONSTRAINTS = { channelCount: 1, sampleRate: 44_100 };

/** Null if the browser cannot record or the context is insecure. */
export function findRecordingType(): string | null {
  // An in-app browser may have the names without the function.
  const { mediaDevices } = navigator as { mediaDevices?: Partial<MediaDevices> };
  if (!('MediaRecorder' in window) || mediaDevices?.getUserMedia === undefined) return null;
  return TYPES.find((type) => MediaRecorder.isTypeSupported(type)) ?? null;
}

export const openMicrophone = () => navigator.mediaDevices.getUserMedia({ audio: CONSTRAINTS });

/** So that the browser stops showing the microphone as in use. */
export function closeMicrophone(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

export interface Meter {
  read: () => number;
  close: () => void;
}

const WINDOW = 2048;

/** Usual range of a voice in dBFS. */
const MIN_LEVEL = -60;
const MAX_LEVEL = -12;

const NO_METER: Meter = { read: () => 0, close: () => undefined };

/** Reads 0 where the browser cannot measure: a recording needs no meter. */
export function createMeter(stream: MediaStream): Meter {
  let context: AudioContext | undefined;
  let analyser: AnalyserNode;
  const close = () => {
    context?.close().catch(() => undefined);
  };
  try {
    context = new AudioContext();
    analyser = context.createAnalyser();
    analyser.fftSize = WINDOW;
    context.createMediaStreamSource(stream).connect(analyser);
  } catch {
    close();
    return NO_METER;
  }
  const samples = new Float32Array(analyser.fftSize);
  return {
    read() {
      analyser.getFloatTimeDomainData(samples);
      const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
      const level = 10 * Math.log10(power);
      return Math.round(100 * Math.min(1, Math.max(0, (level - MIN_LEVEL) / (MAX_LEVEL - MIN_LEVEL))));
    },
    close,
  };
}
