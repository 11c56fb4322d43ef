/** A shorter recording is refused. */
export const SHORTEST_SECONDS = 0.3;

/** Sample rate of decoded recordings, in Hz. Voices are measured and altered at it. */
export const ANALYSIS_RATE = 16_000;

/** Everything below and above is cut off from an altered voice, in Hz. */
export const PASSED_HZ = { lowest: 150, highest: 4200 };
