import { createKey } from '../../lib/create-key.js';
import { createMeter } from './meter.js';
import { closeMicrophone } from './microphone.js';
import { createStopwatch } from './stopwatch.js';

/** A finished recording. It lives in the memory of this page alone, until it is sent or let go. */
export interface Take {
  id: string;
  audio: Blob;
  seconds: number;
  /** How loud it was, moment by moment, from 0 to 100. */
  levels: readonly number[];
}

export interface Progress {
  seconds: number;
  levels: readonly number[];
}

/** A recording under way. */
export interface LiveTake {
  pause: () => void;
  resume: () => void;
  stop: () => void;
  /** Ends it, and lets go of what was recorded. */
  discard: () => void;
}

interface Listeners {
  onProgress: (progress: Progress) => void;
  /** @param isFull when it ended because no more fits */
  onDone: (take: Take, isFull: boolean) => void;
  onFailed: () => void;
}

/** The server takes less than three minutes. */
export const MOST_SECONDS = 179;

/** The server takes 10 MB; what has been recorded since the last piece has to fit as well. */
const MOST_BYTES = 10 * 1024 * 1024 - 256 * 1024;

const PIECE_MS = 500;
const BITS_PER_SECOND = 64_000;
const LEVEL_MS = 100;
const SECOND_MS = 1000;

/** A second's worth of levels at a time, for those who want nothing on the page to move. */
const progressMs = () => (window.matchMedia('(prefers-reduced-motion: reduce)').matches ? SECOND_MS : LEVEL_MS);

/** Records from a microphone, which is closed when the recording ends in whichever way. @throws where the browser refuses to record */
export function startTake(
  stream: MediaStream,
  mimeType: string,
  { onProgress, onDone, onFailed }: Listeners,
): LiveTake {
  const recorder = new MediaRecorder(stream, { mimeType, audioBitsPerSecond: BITS_PER_SECOND });
  recorder.start(PIECE_MS);
  const meter = createMeter(stream);
  const stopwatch = createStopwatch();
  const levels: number[] = [];
  const shownEvery = progressMs() / LEVEL_MS;
  let pieces: Blob[] = [];
  let isFull = false;

  const stop = () => {
    if (recorder.state !== 'inactive') recorder.stop();
  };

  const stopIfFull = () => {
    if (recorder.state === 'inactive' || (stopwatch.seconds() < MOST_SECONDS && sizeOf(pieces) < MOST_BYTES)) return;
    isFull = true;
    stop();
  };

  const ticker = setInterval(() => {
    if (recorder.state !== 'recording') return;
    levels.push(meter.read());
    if (levels.length % shownEvery === 0) onProgress({ seconds: stopwatch.seconds(), levels: [...levels] });
    stopIfFull();
  }, LEVEL_MS);

  const close = () => {
    clearInterval(ticker);
    stopwatch.halt();
    meter.close();
    closeMicrophone(stream);
  };

  recorder.ondataavailable = ({ data }) => {
    pieces.push(data);
    // A page in the background ticks rarely, and its pieces still come.
    stopIfFull();
  };
  // It also ends when the microphone goes away.
  recorder.onstop = () => {
    close();
    onDone(
      { id: createKey(), audio: new Blob(pieces, { type: recorder.mimeType }), seconds: stopwatch.seconds(), levels },
      isFull,
    );
  };

  const discard = () => {
    recorder.ondataavailable = null;
    recorder.onstop = null;
    recorder.onerror = null;
    stop();
    close();
    pieces = [];
  };
  recorder.onerror = () => {
    discard();
    onFailed();
  };

  return {
    pause() {
      recorder.pause();
      stopwatch.halt();
      onProgress({ seconds: stopwatch.seconds(), levels: [...levels] });
    },
    resume() {
      recorder.resume();
      stopwatch.go();
    },
    stop,
    discard,
  };
}

const sizeOf = (pieces: readonly Blob[]) => pieces.reduce((sum, { size }) => sum + size, 0);
