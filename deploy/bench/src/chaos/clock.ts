const AN_HOUR_MS = 3_600_000;

/** Move a service's clock; the same signal again moves it back. */
export const CLOCK_SIGNALS = { SIGUSR2: AN_HOUR_MS, SIGWINCH: -AN_HOUR_MS } as const;

/** Loaded before the service's code. Timers and `performance.now()` continue, as when a real clock is set. */
export function followSignals(): void {
  const applied = new Set<number>();
  for (const [signal, milliseconds] of Object.entries(CLOCK_SIGNALS))
    process.on(signal, () => applied.delete(milliseconds) || applied.add(milliseconds));
  const RealDate = Date;
  const now = (): number => [...applied].reduce((sum, milliseconds) => sum + milliseconds, RealDate.now());
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, values: unknown[], newTarget) =>
      Reflect.construct(target, values.length === 0 ? [now()] : values, newTarget) as Date,
    get: (target, name, receiver) => (name === 'now' ? now : (Reflect.get(target, name, receiver) as unknown)),
  });
}
