import { expect, jest, test } from '@jest/globals';
import { createSingleFlight } from './single-flight.js';

test('runs one task a key at a time, and gives its outcome to all who asked meanwhile', async () => {
  const fly = createSingleFlight<number>();
  const task = jest.fn(() => Promise.resolve(1));
  expect(await Promise.all([fly('a', task), fly('a', task), fly('b', task)])).toEqual([1, 1, 1]);
  expect(task).toHaveBeenCalledTimes(2);
});

test('begins anew once a task has ended, also when it failed', async () => {
  const fly = createSingleFlight<number>();
  await expect(fly('a', () => Promise.reject(new Error('damaged')))).rejects.toThrow('damaged');
  expect(await fly('a', () => Promise.resolve(2))).toBe(2);
});
