export interface Meter {
  /** The current level, from 0 to 100. */
  read: () => number;
  close: () => void;
}

const WINDOW = 2048;

/** The usual range of a voice in dBFS. */
const QUIETEST = -60;
const LOUDEST = -12;

const NO_METER: Meter = { read: () => 0, close: () => undefined };

/** Measures the level of a microphone. Reads 0 where the browser cannot measure. */
export function createMeter(stream: MediaStream): Meter {
  if (!('AudioContext' in window)) return NO_METER;
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  analyser.fftSize = WINDOW;
  try {
    context.createMediaStreamSource(stream).connect(analyser);
  } catch {
    void context.close();
    return NO_METER;
  }
  const samples = new Float32Array(analyser.fftSize);
  return {
    read() {
      analyser.getFloatTimeDomainData(samples);
      const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
      const level = 10 * Math.log10(power);
      return Math.round(100 * Math.min(1, Math.max(0, (level - QUIETEST) / (LOUDEST - QUIETEST))));
    },
    close() {
      void context.close();
    },
  };
}
