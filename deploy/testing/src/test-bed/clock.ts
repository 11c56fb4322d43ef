/** For this process, but not MinIO's client. */
export interface TestClock {
  now(): number;
  /** Of the servers. */
  real(): Date;
  /** The only time at which timers of a second or two run. */
  advance(milliseconds: number): void;
  /** Restores the real time. */
  giveBack(): void;
}

/** Longer ones are sweeps, which may need to catch up. */
const LONGEST_LOOK_MS = 1_000;
const NEVER_MS = 2 ** 31 - 1;

const MINIO = /[\\/]node_modules[\\/]minio[\\/]/;
/** Of this file and the caller. */
const FRAMES = 4;

/** MinIO refuses signatures a quarter of an hour off. Its client signs with `new Date()`. */
function isAskedByMinio(): boolean {
  const { stackTraceLimit } = Error;
  const prepareStackTrace: unknown = Reflect.get(Error, 'prepareStackTrace');
  Error.stackTraceLimit = FRAMES;
  // Jest's own maps each line to its source.
  Error.prepareStackTrace = (_error, sites) => sites.some((site) => MINIO.test(site.getFileName() ?? ''));
  const isAsked = new Error().stack as unknown as boolean;
  Object.assign(Error, { stackTraceLimit, prepareStackTrace });
  return isAsked;
}

/** Services of this process follow it, servers do not. */
export function takeClock(): TestClock {
  const { Date: RealDate, setInterval: setRealInterval, clearInterval: clearRealInterval } = globalThis;
  const looks = new Map<unknown, () => void>();
  let aheadMs = 0;
  const now = (): number => RealDate.now() + aheadMs;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given: unknown[], newTarget) =>
      Reflect.construct(
        target,
        given.length > 0 ? given : [isAskedByMinio() ? target.now() : now()],
        newTarget,
      ) as Date,
    get: (target, name, receiver) => (name === 'now' ? now : (Reflect.get(target, name, receiver) as unknown)),
  });
  Object.assign(globalThis, {
    setInterval(look: () => void, ms = 0, ...given: []) {
      const isLook = ms <= LONGEST_LOOK_MS;
      const timer = setRealInterval(look, isLook ? NEVER_MS : ms, ...given);
      if (isLook) looks.set(timer, look);
      return timer;
    },
    clearInterval(timer: NodeJS.Timeout) {
      looks.delete(timer);
      clearRealInterval(timer);
    },
  });
  return {
    now,
    real: () => new RealDate(),
    advance(milliseconds) {
      aheadMs += milliseconds;
      for (const look of [...looks.values()]) look();
    },
    giveBack: () =>
      void Object.assign(globalThis, {
        Date: RealDate,
        setInterval: setRealInterval,
        clearInterval: clearRealInterval,
      }),
  };
}
