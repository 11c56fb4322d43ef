import { afterEach, jest } from '@jest/globals';

/** Undefined where a test has none. */
const usual: unknown = Reflect.get(window, 'matchMedia');

/** jsdom has no playback. It starts at once, or always fails unless `playable`. */
export function installPlayback({ playable = true } = {}) {
  const prototype = HTMLMediaElement.prototype;
  const playing = new WeakSet<HTMLMediaElement>();
  const load = jest.spyOn(prototype, 'load').mockImplementation(() => undefined);
  const play = jest.spyOn(prototype, 'play').mockImplementation(function (this: HTMLMediaElement) {
    if (!playable) return Promise.reject(new DOMException('No source can be played.', 'NotSupportedError'));
    playing.add(this);
    this.dispatchEvent(new Event('playing'));
    return Promise.resolve();
  });
  jest.spyOn(prototype, 'pause').mockImplementation(function (this: HTMLMediaElement) {
    if (playing.delete(this)) this.dispatchEvent(new Event('pause'));
  });
  return { load, play };
}

export interface FakeMicrophone {
  /** The granted tracks. */
  tracks: (EventTarget & { stop: jest.Mock<() => void> })[];
  /** The constraints passed to getUserMedia(). */
  wishes: MediaStreamConstraints[];
  types: string[];
  /** Delivers a chunk of the given size. */
  deliver: (bytes: number) => void;
  /** Takes the microphone from the page, as a call does. */
  interrupt: () => void;
  /** Ends the recording as an unplugged device does. */
  unplug: () => void;
}

interface MicrophoneOptions {
  /** The MIME types that the browser can record. */
  supported?: readonly string[];
  /** Replaces granting the microphone. */
  grant?: () => Promise<void>;
}

/** Every recording is the text "raw voice". */
export function installMicrophone({
  supported = ['audio/webm;codecs=opus'],
  grant = () => Promise.resolve(),
}: MicrophoneOptions = {}): FakeMicrophone {
  const recorders: Recorder[] = [];
  const microphone: FakeMicrophone = {
    tracks: [],
    wishes: [],
    types: [],
    deliver: (bytes) => recorders.at(-1)?.ondataavailable?.({ data: new Blob([new Uint8Array(bytes)]) }),
    interrupt: () => microphone.tracks.at(-1)?.dispatchEvent(new Event('mute')),
    unplug: () => recorders.at(-1)?.stop(),
  };

  class Recorder {
    static isTypeSupported = (type: string) => supported.includes(type);
    state = 'inactive';
    ondataavailable: ((event: { data: Blob }) => void) | null = null;
    onstop: (() => void) | null = null;
    onerror: (() => void) | null = null;
    mimeType: string;

    constructor(_stream: unknown, { mimeType }: { mimeType: string }) {
      this.mimeType = mimeType;
      microphone.types.push(mimeType);
      recorders.push(this);
    }

    start() {
      this.state = 'recording';
    }

    pause() {
      this.state = 'paused';
    }

    resume() {
      this.state = 'recording';
    }

    stop() {
      this.state = 'inactive';
      this.ondataavailable?.({ data: new Blob(['raw voice'], { type: this.mimeType }) });
      this.onstop?.();
    }
  }

  const getUserMedia = async (wish: MediaStreamConstraints) => {
    microphone.wishes.push(wish);
    await grant();
    const track = Object.assign(new EventTarget(), { stop: jest.fn<() => void>() });
    microphone.tracks.push(track);
    return { getTracks: () => [track] };
  };

  Object.assign(window, { MediaRecorder: Recorder, matchMedia: () => ({ matches: false }) });
  Object.defineProperty(navigator, 'mediaDevices', { configurable: true, value: { getUserMedia } });
  return microphone;
}

/** Seems to alter voices, until `fail` is called. */
export function installFailingDevice(): { fail: () => void } {
  const workers: EventTarget[] = [];
  class FailingWorker extends EventTarget {
    constructor() {
      super();
      workers.push(this);
    }
    postMessage() {
      // It never answers.
    }
    terminate() {
      // There is nothing to end.
    }
  }
  class Decoder {
    decodeAudioData = () => {
      const getChannelData = (channel: number) => {
        if (channel > 0) throw new DOMException('There is one channel.', 'IndexSizeError');
        return new Float32Array(64_000);
      };
      return Promise.resolve({ duration: 4, numberOfChannels: 1, getChannelData });
    };
  }
  Object.assign(window, { Worker: FailingWorker, OfflineAudioContext: Decoder });
  Object.assign(Blob.prototype, { arrayBuffer: () => Promise.resolve(new ArrayBuffer(8)) });
  return {
    fail: () => {
      for (const worker of workers) worker.dispatchEvent(new Event('error'));
    },
  };
}

const { arrayBuffer: usualBytes } = Blob.prototype as Partial<Blob>;

afterEach(() => {
  Reflect.deleteProperty(window, 'Worker');
  Reflect.deleteProperty(window, 'OfflineAudioContext');
  Object.assign(Blob.prototype, { arrayBuffer: usualBytes });
  jest.restoreAllMocks();
  Reflect.deleteProperty(window, 'MediaRecorder');
  Object.assign(window, { matchMedia: usual });
  Reflect.deleteProperty(navigator, 'mediaDevices');
});
