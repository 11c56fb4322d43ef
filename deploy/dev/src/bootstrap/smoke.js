/** True in the smoke form of a command, `npm run … -- --smoke`: seconds, tiny sizes, every step once, and nothing judged. */
export const isSmoke = process.argv.includes('--smoke');

/**
 * Picks the sizes of the form that runs.
 * @template Sizes
 * @param {{ full: Sizes, smoke: Sizes }} forms
 * @returns {Sizes}
 */
export const sizes = ({ full, smoke }) => (isSmoke ? smoke : full);
