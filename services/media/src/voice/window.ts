/** The periodic Hann window, whose halves overlapped add up to one. */
export function hannWindow(length: number): Float64Array {
  return Float64Array.from({ length }, (_, index) => 0.5 - 0.5 * Math.cos((2 * Math.PI * index) / length));
}
