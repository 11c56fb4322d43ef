/** Transforms complex numbers in place, given as an array of real and one of imaginary parts. */
export type Fft = (real: Float64Array, imaginary: Float64Array) => void;

/**
 * The fast Fourier transform; `size` is a power of two. J. W. Cooley and J. W. Tukey, "An algorithm for the machine
 * calculation of complex Fourier series", Mathematics of Computation 19 (1965), 297–301.
 */
export function createFft(size: number): Fft {
  const cosines = Float64Array.from({ length: size / 2 }, (_, index) => Math.cos((2 * Math.PI * index) / size));
  const sines = Float64Array.from({ length: size / 2 }, (_, index) => -Math.sin((2 * Math.PI * index) / size));
  const reversed = reversedBits(size);

  return (real, imaginary) => {
    for (let index = 0; index < size; index += 1) {
      const place = reversed[index] ?? 0;
      if (place > index) {
        swap(real, index, place);
        swap(imaginary, index, place);
      }
    }
    for (let half = 1; half < size; half *= 2) {
      const stride = size / (2 * half);
      for (let offset = 0; offset < half; offset += 1) {
        const cosine = cosines[offset * stride] ?? 0;
        const sine = sines[offset * stride] ?? 0;
        for (let even = offset; even < size; even += 2 * half) {
          const odd = even + half;
          const oddReal = real[odd] ?? 0;
          const oddImaginary = imaginary[odd] ?? 0;
          const evenReal = real[even] ?? 0;
          const evenImaginary = imaginary[even] ?? 0;
          const turnedReal = oddReal * cosine - oddImaginary * sine;
          const turnedImaginary = oddReal * sine + oddImaginary * cosine;
          real[odd] = evenReal - turnedReal;
          imaginary[odd] = evenImaginary - turnedImaginary;
          real[even] = evenReal + turnedReal;
          imaginary[even] = evenImaginary + turnedImaginary;
        }
      }
    }
  };
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
