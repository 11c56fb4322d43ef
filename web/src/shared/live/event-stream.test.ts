import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { emit, installEventSource, openStreams } from '../../test/event-source.js';
import { followEventStream } from './event-stream.js';

const BEAT_MS = 25_000;

beforeEach(() => {
  jest.useFakeTimers();
  installEventSource();
});

afterEach(() => {
  jest.useRealTimers();
});

function follow() {
  const states: string[] = [];
  const end = followEventStream('/stream', { onEvent: () => undefined, onState: (state) => states.push(state) });
  return { states, end };
}

test('the event stream stays open while the server sends heartbeats', () => {
  const { states, end } = follow();
  const [first] = openStreams;
  for (let beats = 0; beats < 20; beats += 1) {
    jest.advanceTimersByTime(BEAT_MS);
    emit('beat', {});
  }
  expect([...openStreams]).toEqual([first]);
  expect(states).toEqual([]);
  end();
  expect(openStreams.size).toBe(0);
});

test('the event stream reconnects after silence without a close', () => {
  const { states, end } = follow();
  const [first] = openStreams;
  emit('beat', {});
  jest.advanceTimersByTime(3 * BEAT_MS);
  const [second] = openStreams;
  expect(openStreams.size).toBe(1);
  expect(second).not.toBe(first);
  expect(states).toEqual(['lost']);
  // The new connection does not get through either.
  jest.advanceTimersByTime(3 * BEAT_MS);
  expect([...openStreams]).not.toContain(second);
  expect(openStreams.size).toBe(1);
  end();
  jest.advanceTimersByTime(10 * BEAT_MS);
  expect(openStreams.size).toBe(0);
});
