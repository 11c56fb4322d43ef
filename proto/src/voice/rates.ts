/** Sample rate of decoded recordings, in Hz. Voices are measured and converted at it. */
export const ANALYSIS_RATE = 16_000;

/** Sample rate at which pitch and tempo are changed. */
export const TRANSFORM_RATE = 24_000;
