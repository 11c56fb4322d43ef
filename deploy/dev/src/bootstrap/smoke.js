/** `npm run … -- --smoke`: every step once at tiny sizes, nothing judged. */
export const isSmoke = process.argv.includes('--smoke');

/**
 * Picks the sizes of the form that runs.
 * @template Sizes
 * @param {{ full: Sizes, smoke: Sizes }} forms
 * @returns {Sizes}
 */
export const sizes = ({ full, smoke }) => (isSmoke ? smoke : full);
