import { sizes } from '@najwa/dev/bootstrap/smoke';
import type { Step } from '@najwa/dev/reporter';
import { startChild } from '../child.js';
import { serve, type Load } from '../load.js';
import { processorSeconds, TICK_SECONDS } from '../processor-time.js';
import { median, rounded } from '../statistics.js';
import type { ProfilesOrder, ProfilesReport } from './many-profiles.js';
import { launcher } from './pinned.js';

const SIZES = sizes({ full: [1_000, 10_000, 100_000, 1_000_000], smoke: [100] });
const MAX_BYTES = 64 * 1024 * 1024;
const DRAWS = sizes({ full: 20_000, smoke: 100 });
const GENERATORS = sizes({ full: 4, smoke: 1 });
const LOAD = sizes<Load>({ full: { connections: 10, seconds: 3 }, smoke: { connections: 2, amount: 100 } });
const ROUNDS = sizes({ full: 3, smoke: 1 });

/** Ranks from 0 as visits are spread over pages: the second most visited has half of the first one's visits, and so on. */
export function drawRanks(size: number, count: number): number[] {
  const cumulated = new Float64Array(size);
  let sum = 0;
  for (let rank = 0; rank < size; rank += 1) cumulated[rank] = sum += 1 / (rank + 1);
  return Array.from({ length: count }, () => {
    const wanted = Math.random() * sum;
    let [low, high] = [0, size - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((cumulated[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  });
}

/** Starts the gateway's memory with that many accounts, and asks for those that it remembers. */
async function startProfiles(size: number) {
  const order: ProfilesOrder = { profiles: size, maxBytes: MAX_BYTES, ranks: drawRanks(size, DRAWS) };
  const file = new URL('./many-profiles.js', import.meta.url);
  const { child, message } = await startChild<ProfilesReport>(file, order, launcher);
  const { port, bytes, remembered } = message;
  const paths = remembered.map((rank) => `/api/users/account-${rank}`);
  const share = Math.ceil(paths.length / GENERATORS);
  const hitCost = async (): Promise<number> => {
    const before = processorSeconds(child.pid ?? 0) ?? Number.NaN;
    const served = await Promise.all(
      Array.from({ length: GENERATORS }, (_, index) =>
        serve(`http://127.0.0.1:${port}`, LOAD, { paths: paths.slice(index * share, (index + 1) * share) }),
      ),
    );
    const used = Math.max((processorSeconds(child.pid ?? 0) ?? Number.NaN) - before, TICK_SECONDS);
    return (used * 1e6) / served.reduce((sum, { total }) => sum + total, 0);
  };
  return { hitCost, bytes, hits: remembered.length / DRAWS, stop: () => child.disconnect() };
}

/** The cost of a hit by the number of accounts, as their visits are spread in life. */
export async function manyProfiles(step: Step) {
  const servers = [];
  try {
    step.doing('filling memories with many accounts');
    for (const size of SIZES) servers.push({ size, ...(await startProfiles(size)), costs: [] as number[] });
    step.doing('asking memories with many accounts');
    for (const { hitCost } of servers) await hitCost();
    // Rounds alternate, so that other load affects all sizes alike.
    for (let round = 0; round < ROUNDS; round += 1)
      for (const { hitCost, costs } of servers) costs.push(await hitCost());
    const last = servers.at(-1)?.costs ?? [];
    const first = servers[0]?.costs ?? [];
    return {
      cost: rounded(median(last.map((cost, round) => cost / (first[round] ?? Number.NaN)))),
      figures: servers.map(({ size, bytes, hits, costs }) => ({
        profiles: size,
        megabytes: rounded(bytes / 1024 / 1024, 1),
        part_of_visits_remembered: rounded(hits),
        microseconds_of_a_hit: rounded(median(costs), 1),
      })),
    };
  } finally {
    for (const { stop } of servers) stop();
  }
}
