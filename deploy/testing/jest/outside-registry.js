import { pathToFileURL } from 'node:url';

const load = (/** @type {string} */ file) => import(pathToFileURL(file).href);

/**
 * Jest's transform of compiled code. Jest would load every module anew for each test file, which takes a second of processor
 * time for a service. So Node.js loads it, once for all files of a process, and the test gets its exports.
 */
export default {
  // Names may come from other files, by `export *`.
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

/** Gives tests of an environment what the transform calls. */
export function allowOutside(global) {
  global.loadOutsideRegistry = load;
}
