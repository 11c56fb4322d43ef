/** Widens resonances, so that a harmonic does not look like a formant. */
const LAG_WINDOW_HZ = 40;

/** A white floor, for stability on pure tones and silence. */
const RELATIVE_FLOOR = 1e-5;
const ABSOLUTE_FLOOR = 1e-7;

export interface LinearPredictor {
  /** Of the last frame: sum of squared samples. */
  readonly power: number;
  /**
   * Writes the whitening filter 1 + a₁z⁻¹ + … with the leading 1.
   * @returns power of the residual, always positive
   */
  analyse(frame: Float64Array, into: Float64Array): number;
}

/**
 * Autocorrelation method: J. Makhoul, "Linear prediction: a tutorial review", Proceedings of the IEEE 63 (1975),
 * 561–580, by Levinson–Durbin. Gaussian lag window: Y. Tohkura, F. Itakura and S. Hashimoto, "Spectral smoothing
 * technique in PARCOR speech analysis-synthesis", IEEE Transactions on Acoustics, Speech, and Signal Processing 26
 * (1978), 587–596. Always of minimum phase.
 */
export function createLinearPredictor(order: number, sampleRate: number): LinearPredictor {
  const lagWindow = Float64Array.from({ length: order + 1 }, (_, lag) =>
    Math.exp(-0.5 * ((2 * Math.PI * LAG_WINDOW_HZ * lag) / sampleRate) ** 2),
  );
  const correlation = new Float64Array(order + 1);
  const before = new Float64Array(order + 1);
  let power = 0;

  return {
    get power() {
      return power;
    },
    analyse(frame, into) {
      correlate(frame, correlation);
      for (let lag = 0; lag <= order; lag += 1) correlation[lag] = (correlation[lag] ?? 0) * (lagWindow[lag] ?? 0);
      power = correlation[0] ?? 0;
      let residual = power * (1 + RELATIVE_FLOOR) + ABSOLUTE_FLOOR;
      into.fill(0)[0] = 1;
      for (let step = 1; step <= order; step += 1) {
        let sum = 0;
        for (let index = 0; index < step; index += 1) sum += (into[index] ?? 0) * (correlation[step - index] ?? 0);
        const reflection = -sum / residual;
        before.set(into);
        for (let index = 1; index <= step; index += 1)
          into[index] = (before[index] ?? 0) + reflection * (before[step - index] ?? 0);
        residual *= 1 - reflection * reflection;
      }
      return residual;
    },
  };
}

/** Four lags at once: independent sums take half of the time. */
function correlate(frame: Float64Array, into: Float64Array): void {
  for (let lag = 0; lag < into.length; lag += 4) {
    let first = 0;
    let second = 0;
    let third = 0;
    let fourth = 0;
    for (let index = 0; index < frame.length - lag - 3; index += 1) {
      const sample = frame[index] ?? 0;
      first += sample * (frame[index + lag] ?? 0);
      second += sample * (frame[index + lag + 1] ?? 0);
      third += sample * (frame[index + lag + 2] ?? 0);
      fourth += sample * (frame[index + lag + 3] ?? 0);
    }
    // The last samples have fewer partners.
    for (let index = Math.max(0, frame.length - lag - 3); index < frame.length - lag; index += 1) {
      const sample = frame[index] ?? 0;
      first += sample * (frame[index + lag] ?? 0);
      second += sample * (frame[index + lag + 1] ?? 0);
      third += sample * (frame[index + lag + 2] ?? 0);
    }
    into[lag] = first;
    if (lag + 1 < into.length) into[lag + 1] = second;
    if (lag + 2 < into.length) into[lag + 2] = third;
    if (lag + 3 < into.length) into[lag + 3] = fourth;
  }
}
