import { expect, test } from '@jest/globals';
import { createBatcher } from './batcher.js';

/** A batcher whose answers come when they are let go. */
function heldBatcher(answerOf: (question: number) => number | Error) {
  const batches: number[][] = [];
  const held: (() => void)[] = [];
  const ask = createBatcher<number, number>({
    maxBatchSize: 3,
    runBatch: async (questions) => {
      batches.push(questions);
      await new Promise<void>((resolve) => held.push(resolve));
      return questions.map(answerOf);
    },
  });
  const letGo = async (): Promise<void> => {
    held.shift()?.();
    await new Promise(setImmediate);
  };
  return { ask, batches, letGo };
}

test('who asks alone is answered at once, and who asks meanwhile together, in bounded batches', async () => {
  const { ask, batches, letGo } = heldBatcher((question) => question * 10);
  const answers = Promise.all([1, 2, 3, 4, 5].map(ask));
  for (let batch = 0; batch < 3; batch += 1) await letGo();
  expect(await answers).toEqual([10, 20, 30, 40, 50]);
  expect(batches).toEqual([[1], [2, 3, 4], [5]]);
});

test('an error in one place refuses that question alone', async () => {
  const { ask, letGo } = heldBatcher((question) => (question === 3 ? new Error('no') : question));
  const results = Promise.allSettled([1, 2, 3].map(ask));
  for (let batch = 0; batch < 2; batch += 1) await letGo();
  expect((await results).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
});

test('a batch that fails refuses all of its questions, and the next is asked all the same', async () => {
  let calls = 0;
  const ask = createBatcher<number, number>({
    runBatch: (questions) => {
      calls += 1;
      return calls === 1 ? Promise.reject(new Error('away')) : Promise.resolve(questions);
    },
  });
  await expect(ask(1)).rejects.toThrow('away');
  expect(await ask(2)).toBe(2);
});
