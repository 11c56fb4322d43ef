import { AppError } from '../errors/errors.js';

/** Omitted limits do not apply. */
export interface FairQueueOptions {
  capacity: number;
  maxRunning?: number;
  runningPerSender: number;
  runningPerSite?: number;
  waitingPerSender: number;
  waitingPerSite?: number;
  maxWaiting: number;
  /** Seconds. */
  retryAfter: number;
  /** Milliseconds. */
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

function moveToEnd<Value>(map: Map<string, Value>, key: string): void {
  const value = map.get(key);
  if (value !== undefined && map.delete(key)) map.set(key, value);
}

function change(counts: Map<string, number>, key: string, by: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}

/** Newest task of the sender with the most waiting, the given one among equals. */
function newestOf(senders: Senders, sender: string): Waiter | undefined {
  let longest = senders.get(sender) ?? [];
  for (const queue of senders.values()) if (queue.length > longest.length) longest = queue;
  return longest.at(-1);
}

class Turns {
  readonly #options;
  /** In order of turns: a site and its sender move to the end when a task starts. */
  readonly #waiting = new Map<string, Senders>();
  readonly #runningBySite = new Map<string, number>();
  readonly #runningBySender = new Map<string, number>();
  #used = 0;
  #running = 0;

  constructor(options: FairQueueOptions) {
    this.#options = { maxRunning: Infinity, runningPerSite: Infinity, waitingPerSite: Infinity, ...options };
  }

  async run<Result>({ sender, site = sender, weight = 1 }: FairTask, run: () => Promise<Result>): Promise<Result> {
    const task = { sender, site, weight: Math.min(weight, this.#options.capacity) };
    await this.#takeTurn(task);
    try {
      return await run();
    } finally {
      this.#account(task, -1);
      while (this.#startNext());
    }
  }

  #takeTurn(task: Required<FairTask>): Promise<void> {
    const { waitingPerSender, waitingPerSite, maxWaiting, maxWaitMs } = this.#options;
    return new Promise((resolve, reject) => {
      let timeout: NodeJS.Timeout | undefined;
      const settle = (settlePromise: () => void): void => {
        clearTimeout(timeout);
        settlePromise();
      };
      const waiter: Waiter = {
        ...task,
        start: () => settle(resolve),
        refuse: (error) => {
          this.#remove(waiter);
          settle(() => reject(error));
        },
      };
      const { site, sender } = task;
      const senders = this.#sendersOf(site);
      this.#waiting.set(site, senders.set(sender, [...(senders.get(sender) ?? []), waiter]));
      while (this.#startNext());
      const own = senders.get(sender) ?? [];
      if (!own.includes(waiter)) return;
      if (own.length > waitingPerSender) {
        const isOwnFault = this.#runningBySender.has(sender) || this.#isSiteBusy(site);
        waiter.refuse(this.#refusal(isOwnFault ? 'too_many_requests' : 'unavailable'));
        return;
      }
      if (maxWaitMs !== undefined) timeout = setTimeout(() => waiter.refuse(this.#refusal('unavailable')), maxWaitMs);
      const total = [...this.#waiting.values()].reduce((sum, each) => sum + countOf(each), 0);
      if (countOf(senders) > waitingPerSite) newestOf(senders, sender)?.refuse(this.#refusal('too_many_requests'));
      else if (total > maxWaiting) this.#findSurplus(task)?.refuse(this.#refusal('unavailable'));
    });
  }
  #refusal(code: 'too_many_requests' | 'unavailable'): AppError {
    const advice = code === 'unavailable' ? 'Try again shortly.' : 'Wait until one is done.';
    return new AppError({ code, message: `Too many at once. ${advice}`, retryAfter: this.#options.retryAfter });
  }
  #sendersOf(site: string): Senders {
    return this.#waiting.get(site) ?? new Map<string, Waiter[]>();
  }
  #isSiteBusy(site: string): boolean {
    return (this.#runningBySite.get(site) ?? 0) >= this.#options.runningPerSite;
  }
  #remove(waiter: Waiter): void {
    const senders = this.#sendersOf(waiter.site);
    const rest = (senders.get(waiter.sender) ?? []).filter((other) => other !== waiter);
    if (rest.length === 0) senders.delete(waiter.sender);
    else senders.set(waiter.sender, rest);
    if (senders.size === 0) this.#waiting.delete(waiter.site);
  }
  #account({ site, sender, weight }: Required<FairTask>, by: 1 | -1): void {
    this.#used += by * weight;
    this.#running += by;
    change(this.#runningBySite, site, by);
    change(this.#runningBySender, sender, by);
  }
  #findNext(): Waiter | undefined {
    for (const [site, senders] of this.#waiting) {
      if (this.#isSiteBusy(site)) continue;
      for (const [sender, [next]] of senders) {
        if (next === undefined || (this.#runningBySender.get(sender) ?? 0) >= this.#options.runningPerSender) continue;
        return next;
      }
    }
    return undefined;
  }
  #startNext(): boolean {
    const { capacity, maxRunning } = this.#options;
    const next = this.#findNext();
    if (next === undefined || this.#used + next.weight > capacity || this.#running >= maxRunning) return false;
    this.#remove(next);
    moveToEnd(this.#sendersOf(next.site), next.sender);
    moveToEnd(this.#waiting, next.site);
    this.#account(next, 1);
    next.start();
    return true;
  }
  #findSurplus({ site, sender }: Required<FairTask>): Waiter | undefined {
    let largest = this.#sendersOf(site);
    for (const senders of this.#waiting.values()) if (countOf(senders) > countOf(largest)) largest = senders;
    return newestOf(largest, sender);
  }
}

/**
 * Round robin by site, then sender: a sender delays others by one task at most. A heavy task that does not fit yet is
 * not overtaken, or it would never start.
 */
export function createFairQueue(options: FairQueueOptions): FairQueue {
  const turns = new Turns(options);
  return (task, run) => turns.run(task, run);
}
