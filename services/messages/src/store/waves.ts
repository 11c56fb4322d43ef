/** Messages per time window. */
export interface Arrivals {
  /** Window number since 1970. */
  window: number;
  current: number;
  previous: number;
  /** Maximum per window so far, excluding waves. */
  usual: number;
}

/** `points`: minimum of a wave. `seconds`: window length. */
export interface WaveRule {
  points: number;
  seconds: number;
}

const FACTOR = 4;

/** A lasting wave raises the usual maximum tenfold in four hours. */
const GROWTH = 1.1;

const NONE: Arrivals = { window: 0, current: 0, previous: 0, usual: 0 };

const isAbove = ({ points }: WaveRule, count: number, usual: number): boolean =>
  count >= points && count > FACTOR * usual;

function roll(rule: WaveRule, arrivals: Arrivals, now: Date): Arrivals {
  const window = Math.floor(now.getTime() / 1000 / rule.seconds);
  const { current, usual } = arrivals;
  if (window <= arrivals.window) return arrivals;
  // The first wave sets the baseline.
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

/** Sliding-window count. */
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
