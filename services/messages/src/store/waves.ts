/** Messages that a link received, by windows of time. */
export interface Arrivals {
  /** Number of the window since 1970. */
  window: number;
  current: number;
  /** In the window before. */
  previous: number;
  /** The most in one window so far, apart from waves. */
  usual: number;
}

/** `points`: what is no wave, however little a link is used to. `seconds`: the window. */
export interface WaveRule {
  points: number;
  seconds: number;
}

/** A wave has more than this many times what is usual. */
const FACTOR = 4;

/** A wave that lasts becomes usual slowly: tenfold in four hours. */
const GROWTH = 1.1;

const NONE: Arrivals = { window: 0, current: 0, previous: 0, usual: 0 };

const isAbove = ({ points }: WaveRule, count: number, usual: number): boolean =>
  count >= points && count > FACTOR * usual;

/** Ends the windows that are over. */
function roll(rule: WaveRule, arrivals: Arrivals, now: Date): Arrivals {
  const window = Math.floor(now.getTime() / 1000 / rule.seconds);
  const { current, usual } = arrivals;
  if (window <= arrivals.window) return arrivals;
  // A link without a usual measure gets one from its first wave.
  const grown = Math.max(usual * GROWTH, rule.points / FACTOR);
  return {
    window,
    current: 0,
    previous: window === arrivals.window + 1 ? current : 0,
    usual: isAbove(rule, current, usual) ? Math.min(current, grown) : Math.max(current, usual),
  };
}

export function addArrivals(rule: WaveRule, arrivals: Arrivals | undefined, count: number, now: Date): Arrivals {
  const rolled = roll(rule, arrivals ?? NONE, now);
  return { ...rolled, current: rolled.current + count };
}

/** Counts the arrivals of the last window's length, and compares them with the most ever before. */
export function recentArrivals(
  rule: WaveRule,
  arrivals: Arrivals | undefined,
  now: Date,
): { count: number; isWave: boolean } {
  const { current, previous, usual } = roll(rule, arrivals ?? NONE, now);
  const elapsed = (now.getTime() / 1000 / rule.seconds) % 1;
  const count = Math.round(current + previous * (1 - elapsed));
  return { count, isWave: isAbove(rule, count, usual) };
}
