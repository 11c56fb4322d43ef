/** In place. */
export type Fft = (real: Float64Array, imaginary: Float64Array) => void;

/**
 * `size` is a power of two. J. W. Cooley and J. W. Tukey, "An algorithm for the machine calculation of complex Fourier
 * series", Mathematics of Computation 19 (1965), 297–301. Passes are fused in pairs, halving memory traffic.
 */
export function createFft(size: number): Fft {
  const cosines = Float64Array.from({ length: size }, (_, index) => Math.cos((2 * Math.PI * index) / size));
  const sines = Float64Array.from({ length: size }, (_, index) => -Math.sin((2 * Math.PI * index) / size));
  const reversed = reversedBits(size);
  const isOdd = Math.log2(size) % 2 === 1;

  return (real, imaginary) => {
    for (let index = 0; index < size; index += 1) {
      const place = reversed[index] ?? 0;
      if (place > index) {
        swap(real, index, place);
        swap(imaginary, index, place);
      }
    }
    if (isOdd) {
      addNeighbours(real, size);
      addNeighbours(imaginary, size);
    }
    for (let quarter = isOdd ? 2 : 1; quarter < size; quarter *= 4) {
      const stride = size / (4 * quarter);
      for (let offset = 0; offset < quarter; offset += 1) {
        const cosine1 = cosines[offset * stride] ?? 0;
        const sine1 = sines[offset * stride] ?? 0;
        const cosine2 = cosines[2 * offset * stride] ?? 0;
        const sine2 = sines[2 * offset * stride] ?? 0;
        const cosine3 = cosines[3 * offset * stride] ?? 0;
        const sine3 = sines[3 * offset * stride] ?? 0;
        for (let a = offset; a < size; a += 4 * quarter) {
          const b = a + quarter;
          const c = b + quarter;
          const d = c + quarter;
          const aReal = real[a] ?? 0;
          const aImaginary = imaginary[a] ?? 0;
          const bReal = real[b] ?? 0;
          const bImaginary = imaginary[b] ?? 0;
          const cReal = real[c] ?? 0;
          const cImaginary = imaginary[c] ?? 0;
          const dReal = real[d] ?? 0;
          const dImaginary = imaginary[d] ?? 0;
          const turnedBReal = bReal * cosine2 - bImaginary * sine2;
          const turnedBImaginary = bReal * sine2 + bImaginary * cosine2;
          const turnedCReal = cReal * cosine1 - cImaginary * sine1;
          const turnedCImaginary = cReal * sine1 + cImaginary * cosine1;
          const turnedDReal = dReal * cosine3 - dImaginary * sine3;
          const turnedDImaginary = dReal * sine3 + dImaginary * cosine3;
          const evenSumReal = aReal + turnedBReal;
          const evenSumImaginary = aImaginary + turnedBImaginary;
          const evenDifferenceReal = aReal - turnedBReal;
          const evenDifferenceImaginary = aImaginary - turnedBImaginary;
          const oddSumReal = turnedCReal + turnedDReal;
          const oddSumImaginary = turnedCImaginary + turnedDImaginary;
          const oddDifferenceReal = turnedCReal - turnedDReal;
          const oddDifferenceImaginary = turnedCImaginary - turnedDImaginary;
          real[a] = evenSumReal + oddSumReal;
          imaginary[a] = evenSumImaginary + oddSumImaginary;
          real[b] = evenDifferenceReal + oddDifferenceImaginary;
          imaginary[b] = evenDifferenceImaginary - oddDifferenceReal;
          real[c] = evenSumReal - oddSumReal;
          imaginary[c] = evenSumImaginary - oddSumImaginary;
          real[d] = evenDifferenceReal - oddDifferenceImaginary;
          imaginary[d] = evenDifferenceImaginary + oddDifferenceReal;
        }
      }
    }
  };
}

/** The first pass: all factors are 1. */
function addNeighbours(values: Float64Array, size: number): void {
  for (let even = 0; even < size; even += 2) {
    const first = values[even] ?? 0;
    const second = values[even + 1] ?? 0;
    values[even] = first + second;
    values[even + 1] = first - second;
  }
}

function reversedBits(size: number): Uint32Array {
  const reversed = new Uint32Array(size);
  for (let index = 1; index < size; index += 1)
    reversed[index] = ((reversed[index >> 1] ?? 0) >> 1) | (index & 1 ? size >> 1 : 0);
  return reversed;
}

function swap(values: Float64Array, one: number, other: number): void {
  const kept = values[one] ?? 0;
  values[one] = values[other] ?? 0;
  values[other] = kept;
}
