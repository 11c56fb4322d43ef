export interface Aim {
  value: number;
  aim: number;
  better: 'higher' | 'lower';
}

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
