export interface Aim {
  value: number;
  aim: number;
  better: 'higher' | 'lower';
}

/** What a benchmark prints as its last line. */
export interface BenchResult {
  bench: string;
  aims: Record<string, Aim>;
  /** What the values were made from. */
  [figure: string]: unknown;
}
