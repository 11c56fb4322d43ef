import { afterEach, jest } from '@jest/globals';

/** What jsdom lacks of an audio element: it plays as soon as it is asked to, and tells of it; or it never can. */
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
  /** The tracks that were handed out. */
  tracks: { stop: jest.Mock<() => void> }[];
  /** What was asked of the device. */
  wishes: MediaStreamConstraints[];
  /** The types in which was recorded. */
  types: string[];
  /** Hands over so many bytes of what has been recorded. */
  deliver: (bytes: number) => void;
  /** Ends the recording as a device does that is unplugged. */
  unplug: () => void;
}

interface MicrophoneOptions {
  /** The types in which the browser can record. */
  supported?: readonly string[];
  /** In place of a granted microphone. */
  grant?: () => Promise<void>;
}

/** A microphone and a recorder, whose recordings are the words "raw voice". */
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
    const track = { stop: jest.fn<() => void>() };
    microphone.tracks.push(track);
    return { getTracks: () => [track] };
  };

  Object.assign(window, { MediaRecorder: Recorder, matchMedia: () => ({ matches: false }) });
  Object.defineProperty(navigator, 'mediaDevices', { configurable: true, value: { getUserMedia } });
  return microphone;
}

afterEach(() => {
  jest.restoreAllMocks();
  Reflect.deleteProperty(window, 'MediaRecorder');
  Reflect.deleteProperty(window, 'matchMedia');
  Reflect.deleteProperty(navigator, 'mediaDevices');
});
