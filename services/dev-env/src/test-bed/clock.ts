/** The time of everything that runs in this process, but for MinIO's client. */
export interface TestClock {
  now(): number;
  /** The time of the servers. */
  real(): Date;
  advance(milliseconds: number): void;
  /** Back to the real time. */
  giveBack(): void;
}

/** MinIO refuses what is signed a quarter of an hour off its own time. */
const isAskedByMinio = (): boolean => /[\\/]node_modules[\\/]minio[\\/]/.test(new Error().stack ?? '');

/** Lets a test decide how late it is for services of its own process, so that a day passes at once. Servers keep their time. */
export function takeClock(): TestClock {
  const Real = globalThis.Date;
  let aheadMs = 0;
  const now = (): number => Real.now() + (isAskedByMinio() ? 0 : aheadMs);
  globalThis.Date = new Proxy(Real, {
    construct: (target, given: unknown[], newTarget) =>
      Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget) as Date,
    get: (target, name, receiver) => (name === 'now' ? now : (Reflect.get(target, name, receiver) as unknown)),
  });
  return {
    now,
    real: () => new Real(),
    advance: (milliseconds) => void (aheadMs += milliseconds),
    giveBack: () => void (globalThis.Date = Real),
  };
}
