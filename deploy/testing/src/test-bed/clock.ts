/** The time of everything that runs in this process, but for MinIO's client. */
export interface TestClock {
  now(): number;
  /** The time of the servers. */
  real(): Date;
  /** Timers of every second or two run now, and at no other time. */
  advance(milliseconds: number): void;
  /** Back to the real time. */
  giveBack(): void;
}

/** Longer ones are sweeps, which may have to make up for something meanwhile. */
const LONGEST_LOOK_MS = 1_000;
const NEVER_MS = 2 ** 31 - 1;

const MINIO = /[\\/]node_modules[\\/]minio[\\/]/;
/** Those of this file, and the one that asks. */
const FRAMES = 4;

/** MinIO refuses what is signed a quarter of an hour off its own time. Its client signs with `new Date()`. */
function isAskedByMinio(): boolean {
  const { stackTraceLimit } = Error;
  const prepareStackTrace: unknown = Reflect.get(Error, 'prepareStackTrace');
  Error.stackTraceLimit = FRAMES;
  // Jest's own looks up each line in a source map.
  Error.prepareStackTrace = (_error, sites) => sites.some((site) => MINIO.test(site.getFileName() ?? ''));
  const isAsked = new Error().stack as unknown as boolean;
  Object.assign(Error, { stackTraceLimit, prepareStackTrace });
  return isAsked;
}

/** Lets a test decide how late it is for services of its own process, so that a day passes at once. Servers keep their time. */
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
