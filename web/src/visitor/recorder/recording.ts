import { LIMITS } from '@najwa/proto/http/client';
import { createKey } from '../../lib/submission-key.js';
import { closeMicrophone, createMeter } from './microphone.js';

/** Seconds, without pauses. */
export function createStopwatch() {
  let measured = 0;
  let since: number | null = performance.now();

  const seconds = () => (measured + (since === null ? 0 : performance.now() - since)) / 1000;

  return {
    seconds,
    halt: () => {
      measured = seconds() * 1000;
      since = null;
    },
    go: () => {
      since ??= performance.now();
    },
  };
}

export interface Recording {
  id: string;
  audio: Blob;
  seconds: number;
  /** From 0 to 100. */
  levels: readonly number[];
}

export interface Progress {
  seconds: number;
  levels: readonly number[];
}

export interface LiveRecording {
  pause: () => void;
  resume: () => void;
  stop: () => void;
  discard: () => void;
}

interface Listeners {
  onProgress: (progress: Progress) => void;
  /** Also when a call or a locked screen takes the microphone. */
  onPause: () => void;
  /** @param isFull the limit was reached */
  onDone: (take: Recording, isFull: boolean) => void;
  onFailed: () => void;
}

/** One second below the server's limit. */
export const MAX_SECONDS = LIMITS.recordingSeconds - 1;

/** Leaves room for data recorded before the next chunk arrives. */
const MAX_BYTES = LIMITS.recordingBytes - 256 * 1024;

const CHUNK_MS = 500;
const BITS_PER_SECOND = 64_000;
const LEVEL_MS = 100;
const SECOND_MS = 1000;

/** Less often under reduced motion. */
const progressMs = () => (window.matchMedia('(prefers-reduced-motion: reduce)').matches ? SECOND_MS : LEVEL_MS);

/** Closes the microphone at the end. @throws if the browser refuses to record */
export function startRecording(
  stream: MediaStream,
  mimeType: string,
  { onProgress, onPause, onDone, onFailed }: Listeners,
): LiveRecording {
  const recorder = new MediaRecorder(stream, { mimeType, audioBitsPerSecond: BITS_PER_SECOND });
  recorder.start(CHUNK_MS);
  const meter = createMeter(stream);
  const stopwatch = createStopwatch();
  let letSleep = keepAwake();
  const levels: number[] = [];
  const reportEvery = progressMs() / LEVEL_MS;
  let chunks: Blob[] = [];
  let isFull = false;

  const stop = () => {
    if (recorder.state !== 'inactive') recorder.stop();
  };

  const stopIfFull = () => {
    if (recorder.state === 'inactive' || (stopwatch.seconds() < MAX_SECONDS && sizeOf(chunks) < MAX_BYTES)) return;
    isFull = true;
    stop();
  };

  const ticker = setInterval(() => {
    if (recorder.state !== 'recording') return;
    levels.push(meter.read());
    if (levels.length % reportEvery === 0) onProgress({ seconds: stopwatch.seconds(), levels: [...levels] });
    stopIfFull();
  }, LEVEL_MS);

  const close = () => {
    clearInterval(ticker);
    letSleep();
    stopwatch.halt();
    meter.close();
    closeMicrophone(stream);
  };

  recorder.ondataavailable = ({ data }) => {
    chunks.push(data);
    // Timers are throttled in background tabs, but chunks still arrive.
    stopIfFull();
  };
  // Also fires when the microphone is unplugged.
  recorder.onstop = () => {
    close();
    onDone(
      { id: createKey(), audio: new Blob(chunks, { type: recorder.mimeType }), seconds: stopwatch.seconds(), levels },
      isFull,
    );
  };

  const discard = () => {
    recorder.ondataavailable = null;
    recorder.onstop = null;
    recorder.onerror = null;
    stop();
    close();
    chunks = [];
  };
  recorder.onerror = () => {
    discard();
    onFailed();
  };

  const pause = () => {
    if (recorder.state !== 'recording') return;
    recorder.pause();
    letSleep();
    stopwatch.halt();
    onProgress({ seconds: stopwatch.seconds(), levels: [...levels] });
    onPause();
  };
  for (const track of stream.getTracks()) track.addEventListener('mute', pause);

  return {
    pause,
    resume() {
      recorder.resume();
      letSleep = keepAwake();
      stopwatch.go();
    },
    stop,
    discard,
  };
}

/** A phone takes the microphone from a page when its screen locks. @returns releases the lock */
function keepAwake(): () => void {
  // Older browsers lack it, and a low battery refuses it.
  const { wakeLock } = navigator as { wakeLock?: WakeLock };
  const lock = wakeLock?.request('screen').catch(() => null);
  return () => {
    lock?.then((held) => held?.release()).catch(() => undefined);
  };
}

const sizeOf = (pieces: readonly Blob[]) => pieces.reduce((sum, { size }) => sum + size, 0);
