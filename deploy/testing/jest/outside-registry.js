import { pathToFileURL } from 'node:url';

const load = (/** @type {string} */ file) => import(pathToFileURL(file).href);

/**
 * Jest would reload every module for each file, a second per service. Node.js loads compiled code once per process
 * instead, and tests get its exports.
 */
export default {
  // `export *` adds names of other files.
  getCacheKeyAsync: async (_source, file) => [file, ...Object.keys(await load(file))].join(),
  async processAsync(_source, file) {
    const names = Object.keys(await load(file));
    const declarations = names.map((name, index) => `const export${index} = outside.${name};`);
    const exported = names.map((name, index) => `export${index} as ${name}`);
    return {
      code: [
        `const outside = await loadOutsideRegistry(${JSON.stringify(file)});`,
        ...declarations,
        `export { ${exported.join(', ')} };`,
      ].join('\n'),
    };
  },
};

/** For the transform's code. */
export function allowOutside(global) {
  global.loadOutsideRegistry = load;
}
