import { expect, jest, test } from '@jest/globals';
import { createSingleFlight } from './single-flight.js';

test('runs one task per key at a time, and shares its result', async () => {
  const fly = createSingleFlight<number>();
  const task = jest.fn(() => Promise.resolve(1));
  expect(await Promise.all([fly('a', task), fly('a', task), fly('b', task)])).toEqual([1, 1, 1]);
  expect(task).toHaveBeenCalledTimes(2);
});

test('runs the next task after the last one has ended or failed', async () => {
  const fly = createSingleFlight<number>();
  await expect(fly('a', () => Promise.reject(new Error('damaged')))).rejects.toThrow('damaged');
  expect(await fly('a', () => Promise.resolve(2))).toBe(2);
});
