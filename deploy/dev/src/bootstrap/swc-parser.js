/**
 * Settings of the TypeScript compiler, for the start and for Jest.
 * @type {import('@swc/core').Options}
 */
export const SWC_PARSER = {
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', tsx: true },
    transform: { react: { runtime: 'automatic' } },
    experimental: { keepImportAttributes: true },
  },
  module: { type: 'es6' },
};
