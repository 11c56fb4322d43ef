import { AppError } from '../errors/errors.js';

export interface FairQueueOptions {
  /** Total weight of tasks that may run at the same time. */
  capacity: number;
  /** Tasks of one sender that may run at the same time. */
  runningPerSender: number;
  /** Tasks of one sender that may wait. */
  waitingPerSender: number;
  /** Tasks of all senders that may wait. */
  maxWaiting: number;
  /** Seconds after which a refused caller may try again. */
  retryAfter: number;
  /** Longest wait of a task in milliseconds. Unlimited by default. */
  maxWaitMs?: number;
}

export interface FairTask {
  /** The key by which tasks of one sender are counted. */
  sender: string;
  /** Capped at the capacity. 1 by default. */
  weight?: number;
}

/**
 * Runs a task when it is its sender's turn.
 * @throws {AppError} `too_many_requests` when the sender has too many tasks already, `unavailable` when all senders
 * together have, or when the task waited too long
 */
export type FairQueue = <Result>(task: FairTask, run: () => Promise<Result>) => Promise<Result>;

interface Waiter {
  sender: string;
  weight: number;
  start: () => void;
  refuse: (error: AppError) => void;
}

/**
 * A bounded queue in which senders take turns, so that one of them cannot delay the others by more than its own task. A
 * task that does not fit is not overtaken: heavy ones would never get their turn.
 */
export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { capacity, runningPerSender, waitingPerSender, maxWaiting, retryAfter, maxWaitMs } = options;
  /** Round robin by sender: a sender moves to the end when one of their tasks starts. */
  const waiting = new Map<string, Waiter[]>();
  const running = new Map<string, number>();
  let used = 0;

  const tooMany = (): AppError =>
    new AppError({ code: 'too_many_requests', message: 'Too many at once. Wait until one is done.', retryAfter });
  const overloaded = (): AppError =>
    new AppError({ code: 'unavailable', message: 'Too many at once. Try again shortly.', retryAfter });

  const runningOf = (sender: string): number => running.get(sender) ?? 0;

  const remove = (waiter: Waiter): void => {
    const rest = (waiting.get(waiter.sender) ?? []).filter((other) => other !== waiter);
    if (rest.length === 0) waiting.delete(waiter.sender);
    else waiting.set(waiter.sender, rest);
  };

  const startNext = (): boolean => {
    for (const [sender, [next]] of waiting) {
      if (next === undefined || runningOf(sender) >= runningPerSender) continue;
      if (used + next.weight > capacity) return false;
      remove(next);
      const rest = waiting.get(sender);
      if (rest && waiting.delete(sender)) waiting.set(sender, rest);
      used += next.weight;
      running.set(sender, runningOf(sender) + 1);
      next.start();
      return true;
    }
    return false;
  };

  const startAll = (): void => {
    while (startNext());
  };

  const end = ({ sender, weight }: Required<FairTask>): void => {
    used -= weight;
    if (runningOf(sender) > 1) running.set(sender, runningOf(sender) - 1);
    else running.delete(sender);
    startAll();
  };

  /** The newest task of the sender with the most waiting, the given sender among equals. */
  const findSurplus = (sender: string): Waiter | undefined => {
    let longest = waiting.get(sender) ?? [];
    for (const queue of waiting.values()) if (queue.length > longest.length) longest = queue;
    return longest.at(-1);
  };

  const takeTurn = ({ sender, weight }: Required<FairTask>): Promise<void> =>
    new Promise((resolve, reject) => {
      let timeout: NodeJS.Timeout | undefined;
      const settle = (settlePromise: () => void): void => {
        clearTimeout(timeout);
        settlePromise();
      };
      const waiter: Waiter = {
        sender,
        weight,
        start: () => settle(resolve),
        refuse: (error) => {
          remove(waiter);
          settle(() => reject(error));
        },
      };
      waiting.set(sender, [...(waiting.get(sender) ?? []), waiter]);
      startAll();
      const own = waiting.get(sender) ?? [];
      if (!own.includes(waiter)) return;
      if (own.length > waitingPerSender) {
        waiter.refuse(runningOf(sender) > 0 ? tooMany() : overloaded());
        return;
      }
      if (maxWaitMs !== undefined) timeout = setTimeout(() => waiter.refuse(overloaded()), maxWaitMs);
      const total = [...waiting.values()].reduce((sum, { length }) => sum + length, 0);
      if (total > maxWaiting) findSurplus(sender)?.refuse(overloaded());
    });

  return async ({ sender, weight = 1 }, run) => {
    const task = { sender, weight: Math.min(weight, capacity) };
    await takeTurn(task);
    try {
      return await run();
    } finally {
      end(task);
    }
  };
}
