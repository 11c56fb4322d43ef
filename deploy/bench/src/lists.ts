import { rounds, sizes } from '@najwa/dev/bootstrap/smoke';
import type { TestSystem } from '@najwa/testing';
import { median, rounded } from './statistics.js';

const ROUNDS = rounds(5);
/** Of each list in a round. */
const READS = sizes({ full: 40, smoke: 2 });
const WARM_UP_READS = sizes({ full: 30, smoke: 0 });

export interface MeasuredList<Name extends string> {
  cookie: string;
  /** Paths, of different pages where possible, to miss caches. */
  reads: Record<Name, () => string>;
}

/** Medians in milliseconds, by round. */
type ReadTimes<Name extends string> = Record<Name, number[]>;

async function timeOf(system: TestSystem, path: string, cookie: string): Promise<number> {
  const begun = performance.now();
  const { status, body } = await system.request('GET', path, { cookie });
  if (status !== 200 || (Array.isArray(body) && body.length === 0))
    throw new Error(`${path} returned status ${status} without records.`);
  return performance.now() - begun;
}

const byRound = (times: readonly number[]): number[] =>
  Array.from({ length: ROUNDS }, (_, round) => median(times.slice(round * READS, (round + 1) * READS)));

/** Alternates, so that other load affects all alike. */
export async function timeReads<Name extends string>(
  system: TestSystem,
  ...lists: readonly MeasuredList<Name>[]
): Promise<ReadTimes<Name>[]> {
  const readers = lists.map(({ cookie, reads }) => ({
    cookie,
    reads: Object.entries<() => string>(reads).map(([name, path]) => ({ name, path, times: [] as number[] })),
  }));
  for (let count = -WARM_UP_READS; count < ROUNDS * READS; count += 1)
    for (const { cookie, reads } of readers)
      for (const { path, times } of reads) {
        const time = await timeOf(system, path(), cookie);
        if (count >= 0) times.push(time);
      }
  return readers.map(
    ({ reads }) => Object.fromEntries(reads.map(({ name, times }) => [name, byRound(times)])) as ReadTimes<Name>,
  );
}

/** Of the sums of these reads, by round. */
export const ratiosOf = <Name extends string>(
  large: ReadTimes<Name>,
  small: ReadTimes<Name>,
  names: readonly Name[],
): number[] => {
  const sumOf = (times: ReadTimes<Name>, round: number): number =>
    names.reduce((sum, name) => sum + (times[name][round] ?? Number.NaN), 0);
  return Array.from({ length: ROUNDS }, (_, round) => sumOf(large, round) / sumOf(small, round));
};

export const mediansOf = <Name extends string>(times: ReadTimes<Name>): Record<string, number> =>
  Object.fromEntries(Object.entries<number[]>(times).map(([name, all]) => [name, rounded(median(all), 2)]));
