import { median, rounded } from './statistics.js';

export interface Aim {
  value: number;
  aim: number;
  better: 'higher' | 'lower';
  /** Least and most of several rounds, whose median is the value. */
  spread?: [number, number];
}

const aimThat =
  (better: Aim['better']) =>
  (rounds: number | readonly number[], aim: number, digits?: number): Aim => {
    const values = [rounds].flat();
    const [least, most] = [Math.min(...values), Math.max(...values)];
    return {
      value: rounded(median(values), digits),
      aim,
      better,
      ...(values.length > 1 && { spread: [rounded(least, digits), rounded(most, digits)] }),
    };
  };

export const atMost = aimThat('lower');
export const atLeast = aimThat('higher');

/** The last printed line. */
export interface BenchResult {
  bench: string;
  aims: Record<string, Aim>;
  /** Raw figures. */
  [figure: string]: unknown;
}

/** Missing or not finite, by path such as `aims.p99.value`. */
export function missingFigures(value: unknown, path = ''): string[] {
  if (value === null || value === undefined) return [path];
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [path];
  if (typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, part]) => missingFigures(part, path === '' ? name : `${path}.${name}`));
}
