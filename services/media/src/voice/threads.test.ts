import { expect, test } from '@jest/globals';
import { measure } from '@najwa/proto/voice';
import { createVoiceThreads } from './threads.js';

test('gives the same result in a worker thread as in this one', async () => {
  const threads = createVoiceThreads();
  const pcm = Int16Array.from({ length: 24_000 }, (_, index) => Math.round(3000 * Math.sin(index / 20)));
  try {
    expect(await threads.measure(pcm)).toEqual(measure(pcm));
  } finally {
    await threads.close();
  }
});
