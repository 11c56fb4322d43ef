export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

export const rounded = (value: number, digits = 3): number => Number(value.toFixed(digits));

/** Nearest rank. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((part / 100) * sorted.length) - 1)] ?? Number.NaN;
}

/** Growth over a run: Theil–Sen slope times length, plus one. Robust to outliers. */
export function growth(values: readonly number[]): number {
  const slopes = values.flatMap((value, from) =>
    values.slice(from + 1).map((later, distance) => (later - value) / (distance + 1)),
  );
  return slopes.length === 0 ? 1 : 1 + (median(slopes) * values.length) / median(values);
}
