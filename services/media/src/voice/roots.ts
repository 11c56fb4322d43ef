/** Complex numbers as separate real and imaginary parts. */
export interface ComplexList {
  real: Float64Array;
  imaginary: Float64Array;
}

export interface RootFinder {
  /** Roots of the polynomial solved last. */
  roots: ComplexList;
  /**
   * Finds all roots of the polynomial with these coefficients, the leading one first and equal to one.
   * @returns false if it did not converge; the next call then starts from the default guess
   */
  solve(coefficients: Float64Array): boolean;
}

const MAX_ROUNDS = 50;
const PRECISION = 1e-10;

/** Off the real axis: iterates of a real polynomial that start on the axis stay on it. */
const FIRST_ANGLE = 0.4;
const FIRST_RADIUS = 0.9;

/**
 * Finds all roots of a real polynomial at once with the Aberth method, a cubically convergent variant of Durand–Kerner:
 * O. Aberth, "Iteration methods for finding all zeros of a polynomial simultaneously", Mathematics of
 * Computation 27 (1973), 339–344. Starts from the roots of the previous polynomial, because neighbouring frames of
 * speech have similar roots.
 */
export function createRootFinder(degree: number): RootFinder {
  const real = new Float64Array(degree);
  const imaginary = new Float64Array(degree);
  const found = new Uint8Array(degree);

  const reset = (): void => {
    for (let index = 0; index < degree; index += 1) {
      const angle = (2 * Math.PI * index) / degree + FIRST_ANGLE;
      real[index] = FIRST_RADIUS * Math.cos(angle);
      imaginary[index] = FIRST_RADIUS * Math.sin(angle);
    }
  };

  /** Moves one root by a step. @returns whether it has converged */
  const improve = (coefficients: Float64Array, index: number): boolean => {
    const x = real[index] ?? 0;
    const y = imaginary[index] ?? 0;
    let [valueReal, valueImaginary, slopeReal, slopeImaginary] = [1, 0, 0, 0];
    for (let power = 1; power <= degree; power += 1) {
      const nextSlopeReal = slopeReal * x - slopeImaginary * y + valueReal;
      slopeImaginary = slopeReal * y + slopeImaginary * x + valueImaginary;
      slopeReal = nextSlopeReal;
      const nextReal = valueReal * x - valueImaginary * y + (coefficients[power] ?? 0);
      valueImaginary = valueReal * y + valueImaginary * x;
      valueReal = nextReal;
    }
    let [sumReal, sumImaginary] = [0, 0];
    for (let other = 0; other < degree; other += 1) {
      if (other === index) continue;
      const deltaReal = x - (real[other] ?? 0);
      const deltaImaginary = y - (imaginary[other] ?? 0);
      const square = deltaReal * deltaReal + deltaImaginary * deltaImaginary;
      if (square === 0) continue;
      sumReal += deltaReal / square;
      sumImaginary -= deltaImaginary / square;
    }
    // value / (slope − value · sum): Newton's step with the other roots divided out.
    const divisorReal = slopeReal - (valueReal * sumReal - valueImaginary * sumImaginary);
    const divisorImaginary = slopeImaginary - (valueReal * sumImaginary + valueImaginary * sumReal);
    const square = divisorReal * divisorReal + divisorImaginary * divisorImaginary;
    if (square === 0) return valueReal === 0 && valueImaginary === 0;
    const stepReal = (valueReal * divisorReal + valueImaginary * divisorImaginary) / square;
    const stepImaginary = (valueImaginary * divisorReal - valueReal * divisorImaginary) / square;
    real[index] = x - stepReal;
    imaginary[index] = y - stepImaginary;
    return stepReal * stepReal + stepImaginary * stepImaginary < PRECISION;
  };

  reset();
  return {
    roots: { real, imaginary },
    solve(coefficients) {
      found.fill(0);
      let missing = degree;
      for (let round = 0; round < MAX_ROUNDS && missing > 0; round += 1) {
        for (let index = 0; index < degree; index += 1) {
          if (found[index] === 0 && improve(coefficients, index)) {
            found[index] = 1;
            missing -= 1;
          }
        }
      }
      if (missing > 0) reset();
      return missing === 0;
    },
  };
}
