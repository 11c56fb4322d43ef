/** Periodic. Windows overlapping by half add up to 1. */
export function hannWindow(length: number): Float64Array {
  return Float64Array.from({ length }, (_, index) => 0.5 - 0.5 * Math.cos((2 * Math.PI * index) / length));
}
