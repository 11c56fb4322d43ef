/** Best effort: the sweep finds what a stopped process missed. */
export interface Timers {
  schedule(until: Date): void;
  stop(): void;
}

export function createTimers(finish: () => Promise<void>): Timers {
  const timers = new Set<NodeJS.Timeout>();
  return {
    schedule(until) {
      const timer = setTimeout(
        () => {
          timers.delete(timer);
          void finish();
        },
        until.getTime() - Date.now() + 1,
      );
      timers.add(timer);
    },
    stop() {
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
}
