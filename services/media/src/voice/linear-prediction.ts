/** Widens resonances before the analysis, which keeps the poles of a pure tone inside the unit circle. */
const LAG_WINDOW_HZ = 20;

export interface LinearPredictor {
  /**
   * Writes the whitening filter 1 + a₁z⁻¹ + … of a windowed frame, including the leading 1.
   * @returns false if the frame has no power
   */
  analyse(frame: Float64Array, into: Float64Array): boolean;
}

/**
 * Linear prediction by the autocorrelation method: J. Makhoul, "Linear prediction: a tutorial review", Proceedings of
 * the IEEE 63 (1975), 561–580, solved by the recursion of Levinson and Durbin. With the Gaussian lag window of Y.
 * Tohkura, F. Itakura and S. Hashimoto, "Spectral smoothing technique in PARCOR speech analysis-synthesis", IEEE
 * Transactions on Acoustics, Speech, and Signal Processing 26 (1978), 587–596. The filter is always of minimum phase.
 */
export function createLinearPredictor(order: number, sampleRate: number): LinearPredictor {
  const lagWindow = Float64Array.from({ length: order + 1 }, (_, lag) =>
    Math.exp(-0.5 * ((2 * Math.PI * LAG_WINDOW_HZ * lag) / sampleRate) ** 2),
  );
  const correlation = new Float64Array(order + 1);
  const before = new Float64Array(order + 1);

  return {
    analyse(frame, into) {
      for (let lag = 0; lag <= order; lag += 1) {
        let sum = 0;
        for (let index = lag; index < frame.length; index += 1) sum += (frame[index] ?? 0) * (frame[index - lag] ?? 0);
        correlation[lag] = sum * (lagWindow[lag] ?? 0);
      }
      let error = correlation[0] ?? 0;
      if (!(error > 0)) return false;
      into.fill(0)[0] = 1;
      for (let step = 1; step <= order; step += 1) {
        let sum = 0;
        for (let index = 0; index < step; index += 1) sum += (into[index] ?? 0) * (correlation[step - index] ?? 0);
        const reflection = -sum / error;
        before.set(into);
        for (let index = 1; index <= step; index += 1)
          into[index] = (before[index] ?? 0) + reflection * (before[step - index] ?? 0);
        error *= 1 - reflection * reflection;
      }
      return error > 0;
    },
  };
}
