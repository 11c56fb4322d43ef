import { describe, expect, test } from '@jest/globals';
import { runInLanes } from './lanes.js';

/** Tasks that end on demand. */
function stepwise() {
  const running = new Map<string, () => void>();
  const task = (name: string, isHeavy = false) => ({
    isHeavy,
    run: () => new Promise<void>((resolve) => running.set(name, resolve)),
  });
  const end = async (name: string): Promise<void> => {
    running.get(name)?.();
    running.delete(name);
    await new Promise(setImmediate);
  };
  return { task, end, running: () => [...running.keys()] };
}

describe('running tasks in lanes', () => {
  test('keeps every lane busy, with one heavy task at a time beside others', async () => {
    const { task, end, running } = stepwise();
    const done = runInLanes([task('heavy 1', true), task('heavy 2', true), task('a'), task('b'), task('c')], 2);
    expect(running()).toEqual(['heavy 1', 'a']);
    await end('a');
    expect(running()).toEqual(['heavy 1', 'b']);
    await end('heavy 1');
    expect(running()).toEqual(['b', 'heavy 2']);
    await end('b');
    await end('heavy 2');
    await end('c');
    await done;
  });

  test('runs two heavy tasks at a time when nothing else is left', async () => {
    const { task, end, running } = stepwise();
    const heavy = ['heavy 1', 'heavy 2', 'heavy 3', 'heavy 4'].map((name) => task(name, true));
    const done = runInLanes([...heavy, task('a')], 3);
    expect(running()).toEqual(['heavy 1', 'a', 'heavy 2']);
    await end('a');
    expect(running()).toEqual(['heavy 1', 'heavy 2']);
    await end('heavy 1');
    await end('heavy 2');
    await end('heavy 3');
    await end('heavy 4');
    await done;
  });

  test('starts no more tasks after one has failed', async () => {
    const { task, running } = stepwise();
    const done = runInLanes([{ run: () => Promise.reject(new Error('stopped')) }, task('a')], 1);
    await expect(done).rejects.toThrow('stopped');
    expect(running()).toEqual([]);
  });
});
