/** Time of the gateway's caches. It stands still: only events expire them, however slow the machine is. */
export interface Clock {
  now: () => number;
  advance(milliseconds: number): void;
}

export function createClock(): Clock {
  let standsAt = performance.now();
  return { now: () => standsAt, advance: (milliseconds) => void (standsAt += milliseconds) };
}
