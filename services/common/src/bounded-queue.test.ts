import { expect, test } from '@jest/globals';
import { createBoundedQueue } from './bounded-queue.js';

/** A task that finishes on demand. */
function controlled() {
  const state = { started: false, finish: (): void => undefined, fail: (_error: Error): void => undefined };
  const task = (): Promise<string> =>
    new Promise((resolve, reject) => {
      state.started = true;
      state.finish = () => resolve('done');
      state.fail = reject;
    });
  return { state, task };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('refuses a task when the queue is full, with a retry time', async () => {
  const queue = createBoundedQueue({ concurrency: 2, maxWaiting: 1, retryAfter: 3 });
  const tasks = [controlled(), controlled(), controlled()];
  const outcomes = tasks.map(({ task }) => queue(task));
  await settle();
  expect(tasks.map(({ state }) => state.started)).toEqual([true, true, false]);
  await expect(queue(controlled().task)).rejects.toMatchObject({ code: 'unavailable', retryAfter: 3 });

  tasks[1]?.state.finish();
  await settle();
  expect(tasks[2]?.state.started).toBe(true);
  tasks[0]?.state.finish();
  tasks[2]?.state.finish();
  expect(await Promise.all(outcomes)).toEqual(['done', 'done', 'done']);
});

test('a failed task frees its slot', async () => {
  const queue = createBoundedQueue({ concurrency: 1, maxWaiting: 1, retryAfter: 1 });
  const [first, second] = [controlled(), controlled()];
  const outcomes = Promise.allSettled([queue(first.task), queue(second.task)]);
  await settle();
  first.state.fail(new Error('damaged'));
  await settle();
  second.state.finish();
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  expect(await queue(() => Promise.resolve('free again'))).toBe('free again');
});

test('refuses a task that has waited too long and frees its slot', async () => {
  const queue = createBoundedQueue({ concurrency: 1, maxWaiting: 1, retryAfter: 4, maxWaitMs: 20 });
  const running = controlled();
  const first = queue(running.task);
  await expect(queue(controlled().task)).rejects.toMatchObject({ code: 'unavailable', retryAfter: 4 });
  const next = controlled();
  const outcome = queue(next.task);
  running.state.finish();
  await settle();
  next.state.finish();
  expect([await first, await outcome]).toEqual(['done', 'done']);
});
