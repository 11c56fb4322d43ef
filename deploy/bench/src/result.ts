export interface Aim {
  value: number;
  aim: number;
  better: 'higher' | 'lower';
}

/** The final line that a benchmark prints. */
export interface BenchResult {
  bench: string;
  aims: Record<string, Aim>;
  /** Raw figures behind the values. */
  [figure: string]: unknown;
}
