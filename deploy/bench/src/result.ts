export interface Aim {
  value: number;
  aim: number;
  better: 'higher' | 'lower';
}

/** The last line that a benchmark prints. */
export interface BenchResult {
  bench: string;
  aims: Record<string, Aim>;
  /** The figures that the values come from. */
  [figure: string]: unknown;
}
