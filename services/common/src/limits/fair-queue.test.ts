import { describe, expect, test } from '@jest/globals';
import { createFairQueue, type FairQueueOptions } from './fair-queue.js';

const LIMITS: FairQueueOptions = {
  capacity: 2,
  runningPerSender: 1,
  waitingPerSender: 2,
  maxWaiting: 4,
  retryAfter: 3,
};

/** A queue with tasks that the test ends explicitly. */
function createBench(limits: Partial<FairQueueOptions> = {}) {
  const queue = createFairQueue({ ...LIMITS, ...limits });
  const started: string[] = [];
  const finish = new Map<string, () => void>();
  const add = (name: string, weight?: number, site?: string) => {
    const task = {
      sender: name.charAt(0),
      ...(weight !== undefined && { weight }),
      ...(site !== undefined && { site }),
    };
    const outcome = queue(task, () => {
      started.push(name);
      return new Promise<string>((resolve) => finish.set(name, () => resolve(name)));
    });
    outcome.catch(() => undefined);
    return outcome;
  };
  const end = async (name: string) => {
    finish.get(name)?.();
    await new Promise(setImmediate);
  };
  return { add, end, started };
}

const settled = () => new Promise<void>((resolve) => setImmediate(() => resolve()));

test('senders take turns and run one task each', async () => {
  const { add, end, started } = createBench({ capacity: 1, waitingPerSender: 3, maxWaiting: 10 });
  const names = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'];
  const outcomes = names.map((name) => add(name));
  await settled();
  for (const name of ['a1', 'a2', 'b1', 'c1', 'a3', 'b2']) {
    expect(started.at(-1)).toBe(name);
    await end(name);
  }
  expect(await Promise.all(outcomes)).toEqual(names);
});

test('a sender with a task running leaves the rest of the capacity to others', async () => {
  const { add, started } = createBench();
  void add('a1');
  void add('a2');
  void add('b1');
  await settled();
  expect(started).toEqual(['a1', 'b1']);
});

test('runs tasks together while their weights fit, and never overtakes a heavy one', async () => {
  const { add, end, started } = createBench({ capacity: 10 });
  void add('a1', 6);
  void add('b1', 8);
  void add('c1', 1);
  await settled();
  expect(started).toEqual(['a1']);
  await end('a1');
  expect(started).toEqual(['a1', 'b1', 'c1']);
});

test('a task heavier than the capacity runs alone', async () => {
  const { add, end, started } = createBench();
  void add('a1', 100);
  void add('b1');
  await settled();
  expect(started).toEqual(['a1']);
  await end('a1');
  expect(started).toEqual(['a1', 'b1']);
});

test('a sender with too many tasks is refused, and another is not', async () => {
  const { add } = createBench({ capacity: 1 });
  for (const name of ['a1', 'a2', 'a3']) void add(name);
  await expect(add('a4')).rejects.toMatchObject({ code: 'too_many_requests', retryAfter: 3 });
  expect(await Promise.race([add('b1').catch(() => 'refused'), settled()])).toBeUndefined();
});

test('a full queue drops the newest task of the sender with the most waiting', async () => {
  const { add } = createBench({ capacity: 1, waitingPerSender: 3, maxWaiting: 3 });
  void add('a1');
  const [a2, a3] = [add('a2'), add('a3')];
  void add('b1');
  const newcomer = add('c1');
  await expect(a3).rejects.toMatchObject({ code: 'unavailable', retryAfter: 3 });
  expect(await Promise.race([a2, newcomer, settled()])).toBeUndefined();
  await expect(add('d1')).rejects.toMatchObject({ code: 'unavailable' });
});

test('a task that waits too long is refused and does not run afterwards', async () => {
  const { add, end, started } = createBench({ capacity: 1, maxWaitMs: 5 });
  void add('a1');
  await expect(add('b1')).rejects.toMatchObject({ code: 'unavailable' });
  await end('a1');
  expect(started).toEqual(['a1']);
});

test('a failed task frees its capacity', async () => {
  const queue = createFairQueue({ ...LIMITS, capacity: 1 });
  await expect(queue({ sender: 'a' }, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await queue({ sender: 'a' }, () => Promise.resolve('done'))).toBe('done');
});

describe('the senders of a site', () => {
  const at =
    (site: string, { add }: Pick<ReturnType<typeof createBench>, 'add'>) =>
    (name: string) =>
      add(name, 1, site);

  // Threat model: sender-19.
  test('share its turns, so that another site waits for one of their tasks', async () => {
    const bench = createBench({ capacity: 1, maxWaiting: 10 });
    const names = ['a1', 'b1', 'c1', 'd1', 'b2'];
    for (const name of names) void at('line', bench)(name);
    void at('home', bench)('x1');
    void at('home', bench)('y1');
    await settled();
    for (const name of ['a1', 'b1', 'x1', 'c1', 'y1', 'd1', 'b2']) {
      expect(bench.started.at(-1)).toBe(name);
      await bench.end(name);
    }
  });

  // Threat model: sender-19.
  test('run only so many tasks at once, and leave the rest of the capacity to others', async () => {
    const bench = createBench({ capacity: 10, maxRunning: 2, runningPerSite: 1 });
    void at('line', bench)('a1');
    void at('line', bench)('b1');
    void at('home', bench)('x1');
    void at('other', bench)('z1');
    await settled();
    expect(bench.started).toEqual(['a1', 'x1']);
  });

  test('senders of a site have only so many waiting, and then the one with the most is refused', async () => {
    const bench = createBench({ capacity: 1, waitingPerSite: 3, maxWaiting: 10 });
    for (const name of ['a1', 'a2']) void at('line', bench)(name);
    const surplus = at('line', bench)('a3');
    void at('line', bench)('b1');
    const newcomer = at('line', bench)('c1');
    await expect(surplus).rejects.toMatchObject({ code: 'too_many_requests', retryAfter: 3 });
    const other = at('home', bench)('x1');
    expect(await Promise.race([newcomer, other, settled()])).toBeUndefined();
  });
});
