import { expect, test } from '@jest/globals';
import { ANALYSIS_RATE } from '@najwa/proto/voice';
import { keep } from './steps.js';
import { VoiceThreads } from './threads.js';

test('a voice step gives the same result in a worker thread as in this one', async () => {
  const threads = new VoiceThreads();
  const recorded = Float32Array.from({ length: 2 * ANALYSIS_RATE }, (_, index) => 0.1 * Math.sin(index / 40));
  const expected = keep(recorded);
  try {
    expect(await threads.keep(recorded)).toEqual(expected);
  } finally {
    await threads.close();
  }
});
