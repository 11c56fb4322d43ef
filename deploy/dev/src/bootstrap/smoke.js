/** `npm run … -- --smoke`: every step once at tiny sizes, nothing judged. */
export const isSmoke = process.argv.includes('--smoke');

const [, wantedRounds = Infinity] = /^--rounds=(\d+)$/m.exec(process.argv.join('\n')) ?? [];

/**
 * Picks the sizes of the form that runs.
 * @template Sizes
 * @param {{ full: Sizes, smoke: Sizes }} forms
 * @returns {Sizes}
 */
export const sizes = ({ full, smoke }) => (isSmoke ? smoke : full);

/**
 * How often a measurement is repeated: `--rounds=N` asks for fewer.
 * @param {number} full
 */
export const rounds = (full) => sizes({ full: Math.min(full, Number(wantedRounds)), smoke: 1 });
