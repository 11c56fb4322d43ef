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
  const onDone = jest.fn<(take: Recording, isFull: boolean) => void>();
  const live = startRecording(stream, 'audio/webm', {
    onProgress: (step) => progress.push(step),
    onDone,
    onFailed: () => undefined,
  });
  return { live, onDone, progress };
}

describe('startTake()', () => {
  test('stops at 2:59', async () => {
    const { onDone } = await begin();
    jest.advanceTimersByTime((MAX_SECONDS - 1) * SECOND);
    expect(onDone).not.toHaveBeenCalled();
    jest.advanceTimersByTime(SECOND);
    expect(onDone).toHaveBeenCalledWith(expect.objectContaining({ seconds: 179 }), true);
    expect(microphone.tracks[0]?.stop).toHaveBeenCalled();
  });

  test('stops before the size limit of the server', async () => {
    const { onDone } = await begin();
    microphone.deliver(9 * MEGABYTE);
    expect(onDone).not.toHaveBeenCalled();
    microphone.deliver(0.9 * MEGABYTE);
    expect(onDone).toHaveBeenCalledTimes(1);
    expect(onDone.mock.calls[0]?.[0].audio.size).toBeLessThan(10 * MEGABYTE);
    expect(onDone.mock.calls[0]?.[1]).toBe(true);
  });

  test('does not count pauses', async () => {
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

  test('measures ten times a second, and reports once a second under reduced motion', async () => {
    const lively = await begin();
    jest.advanceTimersByTime(3 * SECOND);
    expect(lively.progress).toHaveLength(30);
    Object.assign(window, { matchMedia: () => ({ matches: true }) });
    const still = await begin();
    jest.advanceTimersByTime(3 * SECOND);
    expect(still.progress.map(({ seconds }) => seconds)).toEqual([1, 2, 3]);
  });

  test('does not deliver a discarded recording', async () => {
    const { live, onDone } = await begin();
    live.discard();
    jest.advanceTimersByTime(10 * SECOND);
    expect(onDone).not.toHaveBeenCalled();
    expect(microphone.tracks[0]?.stop).toHaveBeenCalled();
  });
});
