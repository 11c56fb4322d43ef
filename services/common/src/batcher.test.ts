import { expect, test } from '@jest/globals';
import { createBatcher } from './batcher.js';

/** A batcher whose batches finish on demand, one at a time. */
function controlledBatcher(answerOf: (question: number) => number | Error) {
  const batches: number[][] = [];
  const pending: (() => void)[] = [];
  const ask = createBatcher<number, number>({
    maxBatchSize: 3,
    runBatch: async (questions) => {
      batches.push(questions);
      await new Promise<void>((resolve) => pending.push(resolve));
      return questions.map(answerOf);
    },
  });
  const finishBatch = async (): Promise<void> => {
    pending.shift()?.();
    await new Promise(setImmediate);
  };
  return { ask, batches, finishBatch };
}

test('collects requests that arrive while a batch runs into batches of bounded size', async () => {
  const { ask, batches, finishBatch } = controlledBatcher((question) => question * 10);
  const first = ask(1);
  await new Promise(setImmediate);
  const answers = Promise.all([first, ...[2, 3, 4, 5].map(ask)]);
  for (let batch = 0; batch < 3; batch += 1) await finishBatch();
  expect(await answers).toEqual([10, 20, 30, 40, 50]);
  expect(batches).toEqual([[1], [2, 3, 4], [5]]);
});

test('an error for one request rejects only that request', async () => {
  const { ask, finishBatch } = controlledBatcher((question) => (question === 3 ? new Error('no') : question));
  const results = Promise.allSettled([1, 2, 3].map(ask));
  await new Promise(setImmediate);
  await finishBatch();
  expect((await results).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
});

test('a failed batch rejects all of its requests, and the next batch runs', async () => {
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
