/** Longer than a sweep's interval. */
export const SCHEDULED_MS = 10 * 60_000;

/** Best effort: the sweep finds what a stopped process missed. */
export interface Timers {
  schedule(until: Date): void;
  stop(): void;
}

export function createTimers(finish: () => Promise<void>): Timers {
  const timers = new Map<number, NodeJS.Timeout>();
  return {
    schedule(until) {
      const time = until.getTime();
      const wait = time - Date.now() + 1;
      if (wait > SCHEDULED_MS || timers.has(time)) return;
      const timer = setTimeout(() => {
        timers.delete(time);
        void finish();
      }, wait).unref();
      timers.set(time, timer);
    },
    stop() {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}
