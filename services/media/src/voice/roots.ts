/** Complex numbers, real and imaginary parts apart. */
export interface ComplexList {
  real: Float64Array;
  imaginary: Float64Array;
}

export interface RootFinder {
  /** Of the last polynomial that was solved. */
  roots: ComplexList;
  /**
   * Finds all roots of the polynomial with these coefficients, the leading one first and equal to one.
   * @returns whether they were found; if not, the next polynomial begins afresh
   */
  solve(coefficients: Float64Array): boolean;
}

const MOST_ROUNDS = 50;
const PRECISION = 1e-10;

/** Beginning on the real axis, a real polynomial would keep the roots on it. */
const FIRST_ANGLE = 0.4;
const FIRST_RADIUS = 0.9;

/**
 * All roots of a real polynomial at once, as Durand and Kerner do it, with the corrections that make it converge with
 * the third power: O. Aberth, "Iteration methods for finding all zeros of a polynomial simultaneously", Mathematics of
 * Computation 27 (1973), 339–344. It begins at the roots of the polynomial before, which for a frame of speech are near.
 */
export function createRootFinder(degree: number): RootFinder {
  const real = new Float64Array(degree);
  const imaginary = new Float64Array(degree);
  const found = new Uint8Array(degree);

  const beginAfresh = (): void => {
    for (let index = 0; index < degree; index += 1) {
      const angle = (2 * Math.PI * index) / degree + FIRST_ANGLE;
      real[index] = FIRST_RADIUS * Math.cos(angle);
      imaginary[index] = FIRST_RADIUS * Math.sin(angle);
    }
  };

  /** Moves one root by a step. @returns whether it has arrived */
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
    let [pushReal, pushImaginary] = [0, 0];
    for (let other = 0; other < degree; other += 1) {
      if (other === index) continue;
      const awayReal = x - (real[other] ?? 0);
      const awayImaginary = y - (imaginary[other] ?? 0);
      const square = awayReal * awayReal + awayImaginary * awayImaginary;
      if (square === 0) continue;
      pushReal += awayReal / square;
      pushImaginary -= awayImaginary / square;
    }
    // value / (slope − value · push), which is Newton's step with the other roots divided out.
    const divisorReal = slopeReal - (valueReal * pushReal - valueImaginary * pushImaginary);
    const divisorImaginary = slopeImaginary - (valueReal * pushImaginary + valueImaginary * pushReal);
    const square = divisorReal * divisorReal + divisorImaginary * divisorImaginary;
    if (square === 0) return valueReal === 0 && valueImaginary === 0;
    const stepReal = (valueReal * divisorReal + valueImaginary * divisorImaginary) / square;
    const stepImaginary = (valueImaginary * divisorReal - valueReal * divisorImaginary) / square;
    real[index] = x - stepReal;
    imaginary[index] = y - stepImaginary;
    return stepReal * stepReal + stepImaginary * stepImaginary < PRECISION;
  };

  beginAfresh();
  return {
    roots: { real, imaginary },
    solve(coefficients) {
      found.fill(0);
      let missing = degree;
      for (let round = 0; round < MOST_ROUNDS && missing > 0; round += 1) {
        for (let index = 0; index < degree; index += 1) {
          if (found[index] === 0 && improve(coefficients, index)) {
            found[index] = 1;
            missing -= 1;
          }
        }
      }
      if (missing > 0) beginAfresh();
      return missing === 0;
    },
  };
}
