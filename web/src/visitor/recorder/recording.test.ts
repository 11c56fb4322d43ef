import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { type FakeMicrophone, installMicrophone } from '../../test/sound.js';
import { MAX_SECONDS, type Progress, type Recording, startRecording } from './recording.js';

const SECOND = 1000;
const MEGABYTE = 1024 * 1024;

let microphone: FakeMicrophone;

beforeEach(() => {
  jest.useFakeTimers();
  microphone = installMicrophone();
});

afterEach(() => {
  jest.useRealTimers();
});

async function begin() {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  const progress: Progress[] = [];
  const onPause = jest.fn<() => void>();
  const onDone = jest.fn<(take: Recording, isFull: boolean) => void>();
  const live = startRecording(stream, 'audio/webm', {
    onProgress: (step) => progress.push(step),
    onPause,
    onDone,
    onFailed: () => undefined,
  });
  return { live, onPause, onDone, progress };
}

describe('startTake()', () => {
  test('startTake() stops at 2:59', async () => {
    const { onDone } = await begin();
    jest.advanceTimersByTime((MAX_SECONDS - 1) * SECOND);
    expect(onDone).not.toHaveBeenCalled();
    jest.advanceTimersByTime(SECOND);
    expect(onDone).toHaveBeenCalledWith(expect.objectContaining({ seconds: 179 }), true);
    expect(microphone.tracks[0]?.stop).toHaveBeenCalled();
  });

  test("startTake() stops before the server's size limit", async () => {
    const { onDone } = await begin();
    microphone.deliver(9 * MEGABYTE);
    expect(onDone).not.toHaveBeenCalled();
    microphone.deliver(0.9 * MEGABYTE);
    expect(onDone).toHaveBeenCalledTimes(1);
    expect(onDone.mock.calls[0]?.[0].audio.size).toBeLessThan(10 * MEGABYTE);
    expect(onDone.mock.calls[0]?.[1]).toBe(true);
  });

  test('startTake() does not count pauses', async () => {
    const { live, onDone, progress } = await begin();
    jest.advanceTimersByTime(2 * SECOND);
    live.pause();
    jest.advanceTimersByTime(60 * SECOND);
    expect(progress.at(-1)?.seconds).toBe(2);
    live.resume();
    jest.advanceTimersByTime(3 * SECOND);
    live.stop();
    expect(onDone).toHaveBeenCalledWith(expect.objectContaining({ seconds: 5 }), false);
    expect(onDone.mock.calls[0]?.[0].levels).toHaveLength(50);
  });

  test('startTake() pauses when the device takes the microphone, and resumes afterwards', async () => {
    const { live, onPause, onDone, progress } = await begin();
    jest.advanceTimersByTime(2 * SECOND);
    microphone.interrupt();
    jest.advanceTimersByTime(60 * SECOND);
    expect(onPause).toHaveBeenCalledTimes(1);
    expect(progress.at(-1)?.seconds).toBe(2);
    microphone.interrupt();
    expect(onPause).toHaveBeenCalledTimes(1);
    live.resume();
    jest.advanceTimersByTime(SECOND);
    live.stop();
    expect(onDone).toHaveBeenCalledWith(expect.objectContaining({ seconds: 3 }), false);
  });

  test('startTake() keeps the screen on, where the browser can', async () => {
    let held = 0;
    const request = () => {
      held += 1;
      return Promise.resolve({ release: () => Promise.resolve((held -= 1)) });
    };
    Object.defineProperty(navigator, 'wakeLock', { configurable: true, value: { request } });
    const { live } = await begin();
    expect(held).toBe(1);
    live.pause();
    await jest.advanceTimersByTimeAsync(0);
    expect(held).toBe(0);
    live.resume();
    expect(held).toBe(1);
    live.discard();
    await jest.advanceTimersByTimeAsync(0);
    expect(held).toBe(0);
    Reflect.deleteProperty(navigator, 'wakeLock');
  });

  test('startTake() measures ten times a second, and reports once under reduced motion', async () => {
    const lively = await begin();
    jest.advanceTimersByTime(3 * SECOND);
    expect(lively.progress).toHaveLength(30);
    Object.assign(window, { matchMedia: () => ({ matches: true }) });
    const still = await begin();
    jest.advanceTimersByTime(3 * SECOND);
    expect(still.progress.map(({ seconds }) => seconds)).toEqual([1, 2, 3]);
  });

  test('startTake() does not deliver a discarded recording', async () => {
    const { live, onDone } = await begin();
    live.discard();
    jest.advanceTimersByTime(10 * SECOND);
    expect(onDone).not.toHaveBeenCalled();
    expect(microphone.tracks[0]?.stop).toHaveBeenCalled();
  });
});
