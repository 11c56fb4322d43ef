/** Minimum length. */
export const SHORTEST_SECONDS = 0.3;

/** Hz. Voices are measured and altered at this rate. */
export const ANALYSIS_RATE = 16_000;

/** Hz. The rest is cut off from altered voices. */
export const PASSED_HZ = { lowest: 150, highest: 4200 };
