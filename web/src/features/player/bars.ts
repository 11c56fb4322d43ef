/** Number of bars in a waveform. */
export const BAR_COUNT = 44;

const SHORTEST = 12;
const TALLEST = 100;
const EVEN = 32;

/** Bar heights in percent, from equal shares of the peaks. Even bars if there are no peaks. */
export function toBars(peaks: readonly number[] | null): number[] {
  if (peaks === null || peaks.length === 0) return Array.from({ length: BAR_COUNT }, () => EVEN);
  return Array.from({ length: BAR_COUNT }, (_, bar) => {
    const start = Math.floor((bar * peaks.length) / BAR_COUNT);
    const end = Math.max(start + 1, Math.floor(((bar + 1) * peaks.length) / BAR_COUNT));
    return Math.min(TALLEST, Math.max(SHORTEST, ...peaks.slice(start, end)));
  });
}
