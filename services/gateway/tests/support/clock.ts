/** Time of the gateway's caches. While it stands still, only events expire them. */
export interface Clock {
  now: () => number;
  stop(): void;
  /** Of a clock that stands still. */
  advance(milliseconds: number): void;
  goOn(): void;
}

export function createClock(): Clock {
  let standsAt: number | undefined;
  const now = (): number => standsAt ?? performance.now();
  return {
    now,
    stop: () => void (standsAt = now()),
    advance: (milliseconds) => void (standsAt = now() + milliseconds),
    goOn: () => void (standsAt = undefined),
  };
}
