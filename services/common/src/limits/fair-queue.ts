import { AppError } from '../errors/errors.js';

export interface FairQueueOptions {
  capacity: number;
  /** Unlimited by default. */
  maxRunning?: number;
  runningPerSender: number;
  /** Unlimited by default. */
  runningPerSite?: number;
  waitingPerSender: number;
  /** Unlimited by default. */
  waitingPerSite?: number;
  maxWaiting: number;
  /** Seconds. */
  retryAfter: number;
  /** Milliseconds, unlimited by default. */
  maxWaitMs?: number;
}

export interface FairTask {
  sender: string;
  /** Sites take turns, and senders within a site. The sender by default. */
  site?: string;
  /** Capped at the capacity. 1 by default. */
  weight?: number;
}

/**
 * Runs a task in its sender's turn.
 * @throws {AppError} `too_many_requests` if its sender or site has too many tasks, `unavailable` if all together have,
 * or after the longest wait
 */
export type FairQueue = <Result>(task: FairTask, run: () => Promise<Result>) => Promise<Result>;

interface Waiter extends Required<FairTask> {
  start: () => void;
  refuse: (error: AppError) => void;
}

type Senders = Map<string, Waiter[]>;

const countOf = (senders: Senders): number => [...senders.values()].reduce((sum, { length }) => sum + length, 0);

/**
 * Round robin by site, then sender: a sender delays others by one task at most. A heavy task that does not fit yet is
 * not overtaken, or it would never start.
 */
export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { capacity, runningPerSender, waitingPerSender, maxWaiting, retryAfter, maxWaitMs } = options;
  const { maxRunning = Infinity, runningPerSite = Infinity, waitingPerSite = Infinity } = options;
  /** In order of turns: a site and its sender move to the end when a task starts. */
  const waiting = new Map<string, Senders>();
  const runningBySite = new Map<string, number>();
  const runningBySender = new Map<string, number>();
  let used = 0;
  let runningTasks = 0;

  const tooMany = (): AppError =>
    new AppError({ code: 'too_many_requests', message: 'Too many at once. Wait until one is done.', retryAfter });
  const overloaded = (): AppError =>
    new AppError({ code: 'unavailable', message: 'Too many at once. Try again shortly.', retryAfter });

  const sendersOf = (site: string): Senders => waiting.get(site) ?? new Map<string, Waiter[]>();

  const isSiteBusy = (site: string): boolean => (runningBySite.get(site) ?? 0) >= runningPerSite;

  const remove = (waiter: Waiter): void => {
    const senders = sendersOf(waiter.site);
    const rest = (senders.get(waiter.sender) ?? []).filter((other) => other !== waiter);
    if (rest.length === 0) senders.delete(waiter.sender);
    else senders.set(waiter.sender, rest);
    if (senders.size === 0) waiting.delete(waiter.site);
  };

  const moveToEnd = <Value>(map: Map<string, Value>, key: string): void => {
    const value = map.get(key);
    if (value !== undefined && map.delete(key)) map.set(key, value);
  };

  const change = (counts: Map<string, number>, key: string, by: 1 | -1): void => {
    const count = (counts.get(key) ?? 0) + by;
    if (count > 0) counts.set(key, count);
    else counts.delete(key);
  };

  const account = ({ site, sender, weight }: Required<FairTask>, by: 1 | -1): void => {
    used += by * weight;
    runningTasks += by;
    change(runningBySite, site, by);
    change(runningBySender, sender, by);
  };

  const findNext = (): Waiter | undefined => {
    for (const [site, senders] of waiting) {
      if (isSiteBusy(site)) continue;
      for (const [sender, [next]] of senders) {
        if (next === undefined || (runningBySender.get(sender) ?? 0) >= runningPerSender) continue;
        return next;
      }
    }
    return undefined;
  };

  const startNext = (): boolean => {
    const next = findNext();
    if (next === undefined || used + next.weight > capacity || runningTasks >= maxRunning) return false;
    remove(next);
    moveToEnd(sendersOf(next.site), next.sender);
    moveToEnd(waiting, next.site);
    account(next, 1);
    next.start();
    return true;
  };

  const startAll = (): void => {
    while (startNext());
  };

  const end = (task: Required<FairTask>): void => {
    account(task, -1);
    startAll();
  };

  /** Newest task of the sender with the most waiting, the given one among equals. */
  const newestOf = (senders: Senders, sender: string): Waiter | undefined => {
    let longest = senders.get(sender) ?? [];
    for (const queue of senders.values()) if (queue.length > longest.length) longest = queue;
    return longest.at(-1);
  };

  const findSurplus = ({ site, sender }: Required<FairTask>): Waiter | undefined => {
    let largest = sendersOf(site);
    for (const senders of waiting.values()) if (countOf(senders) > countOf(largest)) largest = senders;
    return newestOf(largest, sender);
  };

  const takeTurn = (task: Required<FairTask>): Promise<void> =>
    new Promise((resolve, reject) => {
      let timeout: NodeJS.Timeout | undefined;
      const settle = (settlePromise: () => void): void => {
        clearTimeout(timeout);
        settlePromise();
      };
      const waiter: Waiter = {
        ...task,
        start: () => settle(resolve),
        refuse: (error) => {
          remove(waiter);
          settle(() => reject(error));
        },
      };
      const { site, sender } = task;
      const senders = sendersOf(site);
      waiting.set(site, senders.set(sender, [...(senders.get(sender) ?? []), waiter]));
      startAll();
      const own = senders.get(sender) ?? [];
      if (!own.includes(waiter)) return;
      if (own.length > waitingPerSender) {
        waiter.refuse(runningBySender.has(sender) || isSiteBusy(site) ? tooMany() : overloaded());
        return;
      }
      if (maxWaitMs !== undefined) timeout = setTimeout(() => waiter.refuse(overloaded()), maxWaitMs);
      const total = [...waiting.values()].reduce((sum, each) => sum + countOf(each), 0);
      if (countOf(senders) > waitingPerSite) newestOf(senders, sender)?.refuse(tooMany());
      else if (total > maxWaiting) findSurplus(task)?.refuse(overloaded());
    });

  return async ({ sender, site = sender, weight = 1 }, run) => {
    const task = { sender, site, weight: Math.min(weight, capacity) };
    await takeTurn(task);
    try {
      return await run();
    } finally {
      end(task);
    }
  };
}
